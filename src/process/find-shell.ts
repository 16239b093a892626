import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { findProgram, type SearchPlaces } from './find-program.ts'

/** What checks are run with: bash where there is one, else sh. Never one of the project's. */
export function findShell(places: SearchPlaces): Result<string, Extract<Failure, { reason: 'program-not-found' }>> {
  const bash = findProgram('bash', places)
  return bash.ok ? bash : findProgram('sh', places)
}
