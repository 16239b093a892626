import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { storageFailure } from './attempt.ts'
import { openDirectory } from './directory.ts'
import { lookAt } from './look-at.ts'
import { removeFile } from './remove-file.ts'
import { isDraft } from './write-inside.ts'

/**
 * What killed processes of ours were writing in these directories below `root` (a real path). Only for who holds the
 * project: somebody else's draft may be in use.
 */
export function removeDrafts(root: string, directories: readonly (readonly string[])[]): Result<void, Failure> {
  for (const names of directories) {
    const path = join(root, ...names)
    try {
      const directory = openDirectory(root, names)
      // A directory that is missing or a link has none of ours.
      if (!('at' in directory)) continue
      try {
        const drafts = readdirSync(directory.at('.')).filter(isDraft)
        for (const name of drafts) if (lookAt(directory.at(name))?.isFile() === true) removeFile(directory.at(name))
      } finally {
        directory.close()
      }
    } catch (error) {
      return err(storageFailure('clean up', path, error))
    }
  }
  return ok(undefined)
}
