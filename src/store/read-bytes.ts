import { errnoOf } from './attempt.ts'
import { openDirectory, type Walk } from './directory.ts'
import { namesOf } from './look-at.ts'
import { maxSmallFile, readRegular, unreadable, type SeenBytes } from './read-regular.ts'

/**
 * A regular file below `root` (a real path), reached without following any link, read once. A second hard link is no
 * reason to refuse it: who can make one can copy the content as well.
 */
export function readBytes(root: string, relativePath: string, maxBytes = maxSmallFile, walk: Walk = {}): SeenBytes {
  const names = namesOf(relativePath)
  if (names === null) return unreadable('its path leads out of the directory')
  try {
    const directory = openDirectory(root, names.slice(0, -1), walk)
    if (!('at' in directory)) return directory.kind === 'missing' ? directory : unreadable(directory.why)
    try {
      return readRegular(directory.at(names.at(-1) ?? ''), maxBytes)
    } finally {
      directory.close()
    }
  } catch (error) {
    return unreadable(`it cannot be read (${errnoOf(error)})`)
  }
}
