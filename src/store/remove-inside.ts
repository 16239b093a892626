import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { storageFailure } from './attempt.ts'
import { openDirectory } from './directory.ts'
import { namesOf } from './look-at.ts'
import { removeFile } from './remove-file.ts'

/** Removes a file below `root` (a real path) without following links; a link itself is removed. Missing is fine. */
export function removeInside(root: string, relativePath: string): Result<void, Failure> {
  const path = join(root, relativePath)
  const names = namesOf(relativePath)
  if (names === null) return err({ reason: 'unsafe-file', path, why: 'its path leads out of the directory' })
  try {
    const directory = openDirectory(root, names.slice(0, -1))
    if (!('at' in directory)) {
      return directory.kind === 'missing' ? ok(undefined) : err({ reason: 'unsafe-file', path, why: directory.why })
    }
    try {
      removeFile(directory.at(names.at(-1) ?? ''))
      directory.sync()
    } finally {
      directory.close()
    }
    return ok(undefined)
  } catch (error) {
    return err(storageFailure('remove', path, error))
  }
}
