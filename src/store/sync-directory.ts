import { closeSync, constants, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a directory survive a power loss; a file's own fsync does not. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
