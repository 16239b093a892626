import type { Event } from '../model/event.ts'
import type { Violation } from '../model/violation.ts'

type Named = Pick<Extract<Event, { kind: 'verdict.given' }>, 'violations' | 'moreViolations'>

/** The journal and the next prompt take no more: a list of 8 MB, or a check that makes files, can break a rule a hundred thousand times. */
export const maxNamed = 50

/** As an event holds them: the first ones by name, the others counted. */
export function nameViolations(all: readonly Violation[]): Named {
  const violations = all.slice(0, maxNamed)
  const moreViolations = all.length - violations.length
  return { violations, ...(moreViolations === 0 ? {} : { moreViolations }) }
}
