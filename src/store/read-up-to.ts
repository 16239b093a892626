/**
 * What `read` gives until its end, that is 0; null if there is more than allowed: a file can grow while it is read, and
 * some have no size at all.
 */
export function readUpTo(maxBytes: number, read: (chunk: Buffer) => number, firstSize = 64 * 1024): Buffer | null {
  const chunks: Buffer[] = []
  let length = 0
  // No pipe gives more at a time.
  for (let size = firstSize; length <= maxBytes; size = 64 * 1024) {
    const chunk = Buffer.allocUnsafe(size)
    const count = read(chunk)
    if (count === 0) return Buffer.concat(chunks, length)
    chunks.push(chunk.subarray(0, count))
    length += count
  }
  return null
}
