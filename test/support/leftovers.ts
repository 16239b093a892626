import { runChild } from '../../src/process/run-child.ts'
import type { Containment } from '../../src/process/containment.ts'
import { killProcessesWith, leftoverKinds, newMark, newRunId, program, testEnv } from './processes.ts'
import { scratch } from './scratch.ts'

/** One run of an agent that leaves four kinds of processes: which kinds are alive after the end of the run. */
export async function kindsLeftBy(then: 'exit' | 'hang', containment: Containment): Promise<string[]> {
  const mark = newMark()
  const controller = new AbortController()
  const result = await runChild({
    argv: [program('leaves-processes'), mark, scratch(), then],
    cwd: '/',
    env: testEnv,
    runId: newRunId(),
    containment,
    signal: controller.signal,
    onLine: (line) => {
      if (then === 'hang' && line.bytes.toString() === 'ready') controller.abort()
    },
  })
  const left = leftoverKinds(mark)
  killProcessesWith(mark)
  const cause = result.ok ? result.value.cause : result.error.code
  if (cause !== (then === 'exit' ? 'exited' : 'aborted')) throw new Error(`ended otherwise: ${JSON.stringify(result)}`)
  return left
}
