import { closeSync, constants, fchmodSync, fsyncSync, openSync } from 'node:fs'
import { removeFile } from './remove-file.ts'
import { writeAll } from './write-all.ts'

/** `unsynced`: whoever loses it with the power makes it anew, so nobody waits for the disk. */
export type Durability = 'synced' | 'unsynced'

/**
 * A complete, synced file under a name that was free, or nothing and the error. `O_EXCL` also refuses a link that waits
 * there, wherever it points. Permissions are exact where they are given (the umask does not count), else the usual ones.
 */
export function writeNewFile(
  path: string,
  bytes: Uint8Array,
  permissions?: number,
  durability: Durability = 'synced',
): void {
  const fd = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    permissions,
  )
  try {
    if (permissions !== undefined) fchmodSync(fd, permissions)
    writeAll(fd, bytes)
    if (durability === 'synced') fsyncSync(fd)
  } catch (error) {
    removeFile(path)
    throw error
  } finally {
    closeSync(fd)
  }
}
