import { isUtf8 } from 'node:buffer'
import type { SeenFile } from '../model/observation.ts'
import { unreadable, type SeenBytes } from './read-regular.ts'

/** Bytes that are not UTF-8 are refused, not replaced: what is judged must be what is there. */
export function seenText(seen: SeenBytes): SeenFile {
  if (seen.kind !== 'bytes') return seen
  return isUtf8(seen.bytes) ? { kind: 'text', text: seen.bytes.toString() } : unreadable('it is not UTF-8 text')
}
