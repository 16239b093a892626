import { once } from 'node:events'
import { killProcessesWith, leftoverKinds, newMark, newRunId, program } from './processes.ts'
import { scratch } from './scratch.ts'
import { startSmallRunner } from './small-runner.ts'
import { until } from './until.ts'

/**
 * `kill -9` of a runner whose agent has left four kinds of processes and goes on. Calls back when the runner is dead, and
 * cleans up whatever that left alive.
 */
export async function killRunner(
  level: 'mask' | 'namespace' | 'tree',
  afterwards: (mark: string, runId: string) => Promise<void>,
): Promise<void> {
  const mark = newMark()
  const runId = newRunId()
  const runner = startSmallRunner(level, runId, [program('leaves-processes'), mark, scratch(), 'hang'])
  let said = ''
  runner.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    await until('the agent has left its processes', () => said.includes('ready'), 30_000)
    if (leftoverKinds(mark).length < 4) throw new Error(`only ${leftoverKinds(mark).join(' ')} began`)
    runner.kill('SIGKILL')
    await once(runner, 'exit')
    await afterwards(mark, runId)
  } finally {
    runner.kill('SIGKILL')
    killProcessesWith(mark)
  }
}
