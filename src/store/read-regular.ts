import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { lookAt } from './look-at.ts'
import { readUpTo } from './read-up-to.ts'

/** What was at a path in a directory that somebody else writes. */
export type SeenBytes =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Larger files are not read: a sparse file of 3 TB costs its author nothing. */
export const maxSmallFile = 8 * 1024 * 1024

// Non-blocking, because opening a FIFO that nobody writes waits for ever and then no signal is handled either.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/** A regular file, read once; whoever calls answers for the directories on the way. Throws what the system refuses. */
export function readRegular(path: string, maxBytes: number): SeenBytes {
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
    const bytes = readUpTo(maxBytes, (into, at) => readSync(fd, into, at, into.length - at, null), opened.size + 1)
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

const tooLarge = (maxBytes: number): string => `it is larger than ${maxBytes} bytes`

export const unreadable = (why: string) => ({ kind: 'unreadable' as const, why })
