import { ok } from '../base/result.ts'
import type { Steps } from '../loop/workflow.ts'
import type { CheckResult } from '../model/check-result.ts'
import type { IterationMode } from '../model/story.ts'
import { maxArtefacts } from './artefacts.ts'
import { compareAgain, type Compared, type Comparison } from './compare-again.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** A check that is to be run, and whether something hangs on it. */
export interface WantedCheck {
  readonly command: string
  readonly decides: boolean
}

export interface CheckRun extends CheckResult {
  readonly decides: boolean
}

export interface ChecksToRun {
  readonly wanted: readonly WantedCheck[]
  readonly mode: IterationMode | null
  readonly story: string | null
  /** What they are to be run on. */
  readonly comparison: Omit<Comparison, 'checksSince'>
}

export interface ChecksRun {
  /** null: the run is to stop before all of them are through. */
  readonly runs: readonly CheckRun[] | null
  readonly compared: Compared
}

/**
 * Runs the checks one after the other, each on what was judged: whatever one of them did to it is undone before the next
 * begins, else a command that an agent has added could mend for the others what is broken in the commit.
 */
export async function* runChecks(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { wanted, mode, story, comparison }: ChecksToRun,
): Steps<ChecksRun> {
  const { iteration } = comparison
  const runs: CheckRun[] = []
  let compared: Compared = { artefacts: [], violations: [] }
  for (const { command, decides } of wanted) {
    if (ports.stop.aborted) return ok({ runs: null, compared })
    const checksSince = ports.clock.now()
    const result = await ports.check({ command, iteration, mode, story })
    if (!result.ok) return result
    // One that was killed because we stop says nothing about the work.
    const isCutOff = ports.stop.aborted
    if (!isCutOff) {
      const { exitCode, durationMs, log, cannotStart } = result.value
      yield { kind: 'check.finished', iteration, command, exitCode, durationMs, log, decides, cannotStart }
      runs.push({ ...result.value, decides })
    }
    const artefacts = [...comparison.artefacts, ...compared.artefacts]
    const again = yield* compareAgain(ports, memory, { ...comparison, artefacts, checksSince })
    if (!again.ok) return again
    compared = joined(compared, again.value)
    if (isCutOff) return ok({ runs: null, compared })
  }
  return ok({ runs, compared })
}

export function joined(a: Compared, b: Compared): Compared {
  const told = new Set(a.violations.map(({ message }) => message))
  return {
    artefacts: [...a.artefacts, ...b.artefacts].slice(0, maxArtefacts),
    // Several checks may do the same.
    violations: [...a.violations, ...b.violations.filter(({ message }) => !told.has(message))],
  }
}

export const passed = ({ exitCode }: Pick<CheckResult, 'exitCode'>): boolean => exitCode === 0
