import { readSync } from 'node:fs'

export interface Bounds {
  /** Longer lines are passed over. */
  readonly maxLine: number
  /** No more than this is read. */
  readonly maxBytes: number
  /** No more lines than this are looked at: each costs something, however short it is. */
  readonly maxLines: number
  readonly firstChunk?: number
  readonly chunk?: number
}

/** A line without its end, and where it begins. */
export interface Line {
  readonly bytes: Buffer
  readonly start: number
}

/**
 * The lines of a file of the given size from the last to the first. Returns whether it got to the beginning; a file that
 * has become shorter meanwhile ends the reading too.
 */
export function* linesBackwards(fd: number, size: number, bounds: Bounds): Generator<Line, boolean, void> {
  const { maxLine, maxBytes, maxLines, firstChunk = 16 * 1024, chunk = 1024 * 1024 } = bounds
  // What is known of the line that the chunk before this one cuts, from right to left; null if it is too long.
  let rest: Buffer[] | null = []
  let restLength = 0
  let step = firstChunk
  let lines = 0
  for (let end = size; end > 0; step = chunk) {
    const begin = Math.max(0, end - step)
    if (size - begin > maxBytes) return false
    const bytes = readExactly(fd, begin, end - begin)
    if (bytes === null) return false
    let right = bytes.length
    for (let feed = bytes.lastIndexOf(0x0a); feed !== -1; feed = feed === 0 ? -1 : bytes.lastIndexOf(0x0a, feed - 1)) {
      if (++lines > maxLines) return false
      const line = whole(bytes.subarray(feed + 1, right))
      if (line !== null) yield { bytes: line, start: begin + feed + 1 }
      rest = []
      restLength = 0
      right = feed
    }
    keep(bytes.subarray(0, right))
    end = begin
  }
  const first = whole(Buffer.alloc(0))
  if (first !== null) yield { bytes: first, start: 0 }
  return true

  function keep(part: Buffer): void {
    restLength += part.length
    if (restLength > maxLine) rest = null
    rest?.push(part)
  }

  function whole(head: Buffer): Buffer | null {
    if (rest === null || restLength + head.length > maxLine) return null
    return rest.length === 0 ? head : Buffer.concat([head, ...rest.toReversed()])
  }
}

function readExactly(fd: number, position: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length;) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled)
    if (count === 0) return null
    filled += count
  }
  return bytes
}
