import { closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { lookAt, removeName } from './disk.ts'
import { diskPath } from './git-path.ts'

/**
 * Replaces a file in a git directory as git does it: `<name>.lock` made exclusively, then renamed over the name, which
 * may be a link and is not followed. `check` is asked under the lock; false leaves everything as it is.
 */
export function installFile(path: string, bytes: Uint8Array, check: () => boolean = () => true): boolean {
  makeParents(path)
  const lock = `${path}.lock`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const descriptor = openSync(lock, flags, 0o644)
  try {
    if (!check()) {
      removeName(lock)
      return false
    }
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
    fsyncSync(descriptor)
    renameSync(lock, path)
    return true
  } catch (error) {
    removeName(lock)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** A link or file in the place of a directory gives way. The top of a git directory was looked at before. */
export function makeParents(path: string): void {
  const parent = path.slice(0, path.lastIndexOf('/'))
  const seen = lookAt(diskPath(parent, ''))
  if (seen?.isDirectory() === true) return
  if (seen === null) makeParents(parent)
  else removeName(diskPath(parent, ''))
  mkdirSync(diskPath(parent, ''))
}
