/** Reads into `bytes` from `offset` on, as much as comes; 0 is the end. */
export type Read = (bytes: Uint8Array, offset: number) => number

/**
 * What `read` gives until its end; null if there is more than allowed: a file can grow while it is read, and some have no
 * size at all. One piece of memory that grows, and nothing of Buffer's that node would have to compile first: hooks are as
 * fast as this is.
 */
export function readUpTo(maxBytes: number, read: Read, firstSize = 64 * 1024): Buffer | null {
  let bytes = new Uint8Array(firstSize)
  let length = 0
  while (length <= maxBytes) {
    if (length === bytes.length) {
      const more = new Uint8Array(length * 2)
      more.set(bytes)
      bytes = more
    }
    const count = read(bytes, length)
    if (count === 0) return Buffer.from(bytes.buffer, 0, length)
    length += count
  }
  return null
}
