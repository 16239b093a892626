import type { SeenFile } from '../model/observation.ts'
import { errnoOf } from './attempt.ts'
import { lookAt, namesOf } from './look-at.ts'
import { maxSmallFile, readRegular, unreadable } from './read-regular.ts'
import { seenText } from './seen-text.ts'

/**
 * `readSmall` for a hook, which is short and only speaks of what it saw: links on the way are refused where they are
 * seen, and nobody is kept from putting one there in between.
 */
export function readBriefly(root: string, relativePath: string): SeenFile {
  const names = namesOf(relativePath)
  if (names === null) return unreadable('its path leads out of the directory')
  try {
    let directory = root
    for (const name of names.slice(0, -1)) {
      directory += `/${name}`
      if (lookAt(directory)?.isDirectory() === false) return unreadable('its directory is a link or something else')
    }
    return seenText(readRegular(`${root}/${relativePath}`, maxSmallFile))
  } catch (error) {
    return unreadable(`it cannot be read (${errnoOf(error)})`)
  }
}
