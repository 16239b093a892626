import { ok } from '../base/result.ts'
import type { Steps } from '../loop/workflow.ts'
import type { CheckResult } from '../model/check-result.ts'
import type { IterationMode } from '../model/story.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** A check that is to be run, and whether something hangs on it. */
export interface WantedCheck {
  readonly command: string
  readonly decides: boolean
}

export interface CheckRun extends CheckResult {
  readonly decides: boolean
}

export interface CheckContext {
  readonly iteration: number
  readonly mode: IterationMode | null
  readonly story: string | null
}

/** Runs the checks one after the other; null if the run is to stop before all of them are through. */
export async function* runChecks(
  ports: StoriesPorts,
  wanted: readonly WantedCheck[],
  context: CheckContext,
): Steps<readonly CheckRun[] | null> {
  const runs: CheckRun[] = []
  for (const { command, decides } of wanted) {
    if (ports.stop.aborted) return ok(null)
    const result = await ports.check({ command, ...context })
    if (!result.ok) return result
    // One that was killed because we stop says nothing about the work.
    if (ports.stop.aborted) return ok(null)
    const { exitCode, durationMs, log, cannotStart } = result.value
    const { iteration } = context
    yield { kind: 'check.finished', iteration, command, exitCode, durationMs, log, decides, cannotStart }
    runs.push({ ...result.value, decides })
  }
  return ok(runs)
}

export const passed = ({ exitCode }: Pick<CheckResult, 'exitCode'>): boolean => exitCode === 0
