import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf } from './disk.ts'
import { placeFile } from './place-file.ts'
import { RejectedList, type Rejected } from './rejected.ts'

/** Removes whatever has this name in the project, a directory with all that is in it, and hands it over. */
export function takeAway({ project, stateDir }: RefereePlace, path: string): Result<readonly Rejected[], Failure> {
  const rejected = new RejectedList(stateDir)
  try {
    placeFile(project, path, { wanted: { kind: 'nothing', all: true }, rejected })
    return ok(rejected.found)
  } catch (error) {
    return err({ reason: 'storage', doing: 'remove', path: `${project}/${path}`, code: codeOf(error) })
  }
}
