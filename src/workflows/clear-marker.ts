import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { markerPath } from './look.ts'
import type { StoriesPorts } from './stories-ports.ts'
import { takenOut } from './taken-out.ts'

/** Keeps and removes whatever stands where the marker belongs: a directory does not give way to a file. */
export function clearMarker(ports: StoriesPorts, iteration: number): Result<void, Failure> {
  const removed = ports.referee.takeAway(markerPath)
  return removed.ok ? ports.saveTakenOut(iteration, removed.value.flatMap(takenOut)) : removed
}
