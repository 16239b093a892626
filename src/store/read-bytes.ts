import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { errnoOf } from './attempt.ts'
import { lookAt, namesOf, openDirectory, type Walk } from './directory.ts'

/** What was at a path in a directory that somebody else writes. */
export type SeenBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Larger files are not read: a sparse file of 3 TB costs its author nothing. */
export const maxSmallFile = 8 * 1024 * 1024

// Non-blocking, because opening a FIFO that nobody writes waits for ever and then no signal is handled either.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

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

function readRegular(path: string, maxBytes: number): SeenBytes {
  // Looked at before it is opened, since opening a device can do things; and again after, since it can be exchanged.
  const seen = lookAt(path)
  if (seen === null) return { kind: 'missing' }
  const why = whyNot(seen, maxBytes)
  if (why !== null) return unreadable(why)
  const fd = openSync(path, flags)
  try {
    const opened = fstatSync(fd)
    const whyNow = whyNot(opened, maxBytes)
    if (whyNow !== null) return unreadable(whyNow)
    const bytes = readUpTo(fd, opened.size, maxBytes)
    return bytes === null ? unreadable(tooLarge(maxBytes)) : { kind: 'bytes', bytes }
  } finally {
    closeSync(fd)
  }
}

function whyNot(seen: Stats, maxBytes: number): string | null {
  if (seen.isSymbolicLink()) return 'it is a link'
  if (seen.isDirectory()) return 'it is a directory'
  if (seen.isFIFO()) return 'it is a FIFO'
  if (!seen.isFile()) return 'it is a device or a socket'
  return seen.size > maxBytes ? tooLarge(maxBytes) : null
}

/** Null if there is more than allowed: a file can grow while it is read, and some have no size at all. */
function readUpTo(fd: number, expected: number, maxBytes: number): Buffer | null {
  let buffer = Buffer.allocUnsafe(expected + 1)
  let filled = 0
  for (;;) {
    const count = readSync(fd, buffer, filled, buffer.length - filled, null)
    if (count === 0) return buffer.subarray(0, filled)
    filled += count
    if (filled > maxBytes) return null
    if (filled === buffer.length) {
      buffer = Buffer.concat([buffer], Math.min(buffer.length * 2 + 4096, maxBytes + 1))
    }
  }
}

const tooLarge = (maxBytes: number): string => `it is larger than ${maxBytes} bytes`

const unreadable = (why: string): SeenBytes => ({ kind: 'unreadable', why })
