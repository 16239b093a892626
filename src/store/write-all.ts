import { writeSync } from 'node:fs'

/** Writes every byte: on a nearly full disk `writeSync` writes less than asked and reports no error. */
export function writeAll(fd: number, bytes: Uint8Array, position: number | null = null): void {
  let done = 0
  while (done < bytes.length) {
    const written = writeSync(fd, bytes, done, bytes.length - done, position === null ? null : position + done)
    if (written === 0) throw Object.assign(new Error('nothing was written'), { code: 'EIO' })
    done += written
  }
}
