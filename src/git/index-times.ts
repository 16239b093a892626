import { lstatSync, statSync } from 'node:fs'
import { codeOf, readRegular } from './disk.ts'
import { decodePath, diskPath } from './git-path.ts'
import type { TreeEntry } from './own-index.ts'

/** An index entry with the last change of its file's inode, as it was when the content was read. */
export interface IndexTime extends TreeEntry {
  readonly seconds: number
  readonly nanoseconds: number
}

const maxIndexBytes = 1024 * 1024 * 1024
const headerBytes = 12
const statBytes = 40

/**
 * git compares ctime by whole seconds, so a file that changes within the second in which it was looked at, to the same
 * size and with its mtime set back, would look unchanged for ever. The entries for which that is possible.
 */
export function readRacyEntries(path: string): readonly IndexTime[] {
  const bytes = readRegular(path, maxIndexBytes)
  if (bytes === null) return []
  const since = Math.floor(statSync(path).mtimeMs / 1000) - 1
  return parseIndexTimes(bytes, since)
}

/** Version 2 and 3 of the index format; ids have the length that makes the entries fit. */
export function parseIndexTimes(bytes: Buffer, sinceSeconds: number): IndexTime[] {
  const version = bytes.length < headerBytes ? 0 : bytes.readUInt32BE(4)
  if (version !== 2 && version !== 3) return []
  const found: IndexTime[] = []
  const count = bytes.readUInt32BE(8)
  const idBytes = idBytesOf(bytes, count)
  let at = headerBytes
  for (let entry = 0; entry < count; entry++) {
    const flags = bytes.readUInt16BE(at + statBytes + idBytes)
    const nameAt = at + statBytes + idBytes + ((flags & 0x40_00) === 0 ? 2 : 4)
    const nameEnd = bytes.indexOf(0, nameAt)
    const seconds = bytes.readUInt32BE(at)
    if (seconds >= sinceSeconds) {
      found.push({
        path: decodePath(bytes.subarray(nameAt, nameEnd)),
        mode: bytes
          .readUInt32BE(at + 24)
          .toString(8)
          .padStart(6, '0'),
        id: bytes.subarray(at + statBytes, at + statBytes + idBytes).toString('hex'),
        seconds,
        nanoseconds: bytes.readUInt32BE(at + 4),
      })
    }
    // Entries are padded with one to eight NULs to a multiple of eight bytes.
    at += Math.floor((nameEnd - at + 8) / 8) * 8
  }
  return found
}

/**
 * Whether the file has changed in a way that git cannot notice: later in the same second. Without fractions of a second
 * nobody can tell, so it may have.
 */
export function changedUnnoticed(project: string, entry: IndexTime): boolean {
  try {
    const changed = lstatSync(diskPath(project, entry.path), { bigint: true }).ctimeNs
    const second = BigInt(entry.seconds) * 1_000_000_000n
    if (changed / 1_000_000_000n !== BigInt(entry.seconds)) return false
    return entry.nanoseconds === 0 || changed !== second + BigInt(entry.nanoseconds)
  } catch (error) {
    codeOf(error)
    return false
  }
}

/** In a SHA-1 index the flags of the first entry hold the length of its name at byte 60, in a SHA-256 one at byte 72. */
function idBytesOf(bytes: Buffer, count: number): 20 | 32 {
  if (count === 0) return 20
  const flags = bytes.readUInt16BE(headerBytes + statBytes + 20)
  const nameAt = headerBytes + statBytes + 20 + ((flags & 0x40_00) === 0 ? 2 : 4)
  const length = bytes.indexOf(0, nameAt) - nameAt
  return length > 0 && length === (flags & 0x0f_ff) ? 20 : 32
}
