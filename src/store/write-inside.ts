import { randomBytes } from 'node:crypto'
import { linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { errnoOf, storageFailure } from './attempt.ts'
import { openDirectory, type Directory, type Walk } from './directory.ts'
import { lookAt, namesOf } from './look-at.ts'
import { removeFile } from './remove-file.ts'
import { writeNewFile, type Durability } from './write-new-file.ts'

export interface WriteInside {
  /** `replace` (default): whatever name is there, a link included, gives way. `create`: a name that is taken is a failure. */
  readonly as?: 'replace' | 'create'
  /** Default: those of the regular file that is replaced, else the usual ones. */
  readonly permissions?: number
  readonly durability?: Durability
  readonly walk?: Omit<Walk, 'create'>
}

/** Names of drafts begin with this; a killed runner can leave one, so it is kept out of git with our other files. */
const draftPrefix = '.ralph-draft-'

export const isDraft = (name: string): boolean =>
  name.startsWith(draftPrefix) && /^[0-9a-f]{12}$/.test(name.slice(draftPrefix.length))

/**
 * Writes a file below `root` (a real path) where the agent may have planted links: through directories opened one by
 * one, complete or not at all, never through a link. Missing directories are made.
 */
export function writeInside(
  root: string,
  relativePath: string,
  bytes: Uint8Array,
  options: WriteInside = {},
): Result<void, Failure> {
  const path = join(root, relativePath)
  const names = namesOf(relativePath)
  if (names === null) return err({ reason: 'unsafe-file', path, why: 'its path leads out of the directory' })
  try {
    const directory = openDirectory(root, names.slice(0, -1), { ...options.walk, create: true })
    if (!('at' in directory)) return err(noDirectory(path, directory.kind === 'unsafe' ? directory.why : null))
    try {
      return writeName(directory, names.at(-1) ?? '', { bytes, path, options })
    } finally {
      directory.close()
    }
  } catch (error) {
    return err(storageFailure('write', path, error))
  }
}

function writeName(
  directory: Directory,
  name: string,
  { bytes, path, options }: { bytes: Uint8Array; path: string; options: WriteInside },
): Result<void, Failure> {
  const target = directory.at(name)
  const seen = lookAt(target)
  if (seen?.isDirectory() === true) return err({ reason: 'unsafe-file', path, why: 'it is a directory' })
  const draft = directory.at(`${draftPrefix}${randomBytes(6).toString('hex')}`)
  const permissions = options.permissions ?? (seen?.isFile() === true ? seen.mode & 0o777 : undefined)
  writeNewFile(draft, bytes, permissions, options.durability)
  try {
    // link(2) refuses a name that is taken, rename(2) replaces it; neither looks at what a link points to.
    if (options.as === 'create') linkSync(draft, target)
    else renameSync(draft, target)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return err({ reason: 'unsafe-file', path, why: 'something is there already' })
  } finally {
    removeFile(draft)
  }
  if (options.durability !== 'unsynced') directory.sync()
  return ok(undefined)
}

function noDirectory(path: string, why: string | null): Failure {
  if (why !== null) return { reason: 'unsafe-file', path, why }
  return { reason: 'storage', doing: 'write', path, code: 'ENOENT' }
}
