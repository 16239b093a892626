import type { SeenFile } from '../model/observation.ts'
import { readBytes } from './read-bytes.ts'
import { maxSmallFile } from './read-regular.ts'
import { seenText } from './seen-text.ts'

/** Text of a file that the agent may have written. */
export function readSmall(root: string, relativePath: string, maxBytes = maxSmallFile): SeenFile {
  return seenText(readBytes(root, relativePath, maxBytes))
}
