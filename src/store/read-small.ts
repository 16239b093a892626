import { isUtf8 } from 'node:buffer'
import type { SeenFile } from '../model/observation.ts'
import { maxSmallFile, readBytes } from './read-bytes.ts'

/**
 * Text of a file that the agent may have written. Bytes that are not UTF-8 are refused, not replaced: what is judged
 * must be what is there.
 */
export function readSmall(root: string, relativePath: string, maxBytes = maxSmallFile): SeenFile {
  const seen = readBytes(root, relativePath, maxBytes)
  if (seen.kind !== 'bytes') return seen
  return isUtf8(seen.bytes)
    ? { kind: 'text', text: seen.bytes.toString('utf8') }
    : { kind: 'unreadable', why: 'it is not UTF-8 text' }
}
