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

/** A line without its end, and where it begins in bytes. */
export interface Line {
  readonly text: string
  readonly start: number
}

/**
 * The lines of a file of the given size from the last to the first. Returns whether it got to the beginning; a file that
 * has become shorter meanwhile ends the reading too.
 */
export function* linesBackwards(fd: number, size: number, bounds: Bounds): Generator<Line, boolean, void> {
  const { maxLine, maxBytes, maxLines, firstChunk = 16 * 1024, chunk = 1024 * 1024 } = bounds
  // What is known of the line that the chunk before this one cuts, from right to left; null if it is too long.
  let rest: Uint8Array[] | null = []
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
      if (line !== null) yield { text: line, start: begin + feed + 1 }
      rest = []
      restLength = 0
      right = feed
    }
    keep(bytes.subarray(0, right))
    end = begin
  }
  const first = whole(new Uint8Array())
  if (first !== null) yield { text: first, start: 0 }
  return true

  function keep(part: Uint8Array): void {
    restLength += part.length
    if (restLength > maxLine) rest = null
    rest?.push(part)
  }

  function whole(head: Uint8Array): string | null {
    if (rest === null || restLength + head.length > maxLine) return null
    if (rest.length > 0) return Buffer.concat([head, ...rest.toReversed()]).toString()
    return Buffer.from(head.buffer, head.byteOffset, head.length).toString()
  }
}

/** No Buffer, whose own methods node would have to compile first. */
function readExactly(fd: number, position: number, length: number): Uint8Array | null {
  const bytes = new Uint8Array(length)
  for (let filled = 0; filled < length;) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled)
    if (count === 0) return null
    filled += count
  }
  return bytes
}
