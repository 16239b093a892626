import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { program, testEnv } from './processes.ts'

/** A process of its own that runs one child with `runChild`: to be killed, or to be measured. */
export function startSmallRunner(
  level: 'mask' | 'namespace' | 'tree',
  runId: string,
  argv: readonly string[],
): ChildProcess {
  const args = ['--import', 'tsx', program('runner.ts'), level, runId, ...argv]
  return spawn(process.execPath, args, { env: testEnv, stdio: ['ignore', 'pipe', 'pipe'] })
}

export interface RunnerReport {
  readonly lines: number
  readonly longest: number
  readonly dropped: number
  readonly maxRssMb: number
}

export async function measureSmallRunner(script: string): Promise<RunnerReport> {
  const runner = startSmallRunner('tree', '20260101-000000-00000000', ['/bin/sh', '-c', script])
  const { stdout, stderr } = runner
  if (stdout === null || stderr === null) throw new Error('no pipes')
  const [out, errors] = await Promise.all([text(stdout), text(stderr), once(runner, 'close')])
  try {
    return JSON.parse(out) as RunnerReport
  } catch (error) {
    throw new Error(`the runner failed: ${errors}`, { cause: error })
  }
}
