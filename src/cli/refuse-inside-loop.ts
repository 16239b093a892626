import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { Input } from './command.ts'

/** For commands that change a loop: an agent or check that is part of one has no business with it. */
export function refuseInsideLoop(env: Input['env']): Result<void, Failure> {
  const runId = env['RALPH_RUN_ID'] ?? ''
  if (runId === '') return ok(undefined)
  return err({
    reason: 'usage',
    message: `This is inside of a loop (RALPH_RUN_ID is ${visibleLine(runId, 64)}): commands that change one refuse there.`,
    fix: 'Leave it to the person who started the loop; if that is you, unset RALPH_RUN_ID.',
  })
}
