import { decide } from '../../src/guard/decide.ts'
import type { Place } from '../../src/guard/place.ts'
import { guardedPlace } from './guarded-place.ts'

/** The name of the rule that denies a command; `allowed` where none does. */
export function deniedBy(command: string, place: Place = guardedPlace()): string {
  const answer = decide({ kind: 'shell', command }, place)
  return answer.decision === 'deny' ? answer.rule : 'allowed'
}
