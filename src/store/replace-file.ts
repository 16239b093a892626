import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from './attempt.ts'
import { removeFile } from './remove-file.ts'
import { syncDirectory } from './sync-directory.ts'
import { writeNewFile } from './write-new-file.ts'

/** Replaces a file of the state directory: readers see the old or the new content, whenever we are killed. */
export function replaceFile(path: string, bytes: Uint8Array): Result<void, Failure> {
  return attempt('write', path, () => {
    const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
    writeNewFile(draft, bytes, 0o600)
    try {
      renameSync(draft, path)
    } catch (error) {
      removeFile(draft)
      throw error
    }
    syncDirectory(dirname(path))
  })
}
