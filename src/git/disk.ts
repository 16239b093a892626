import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, rmSync, type Stats } from 'node:fs'

/** `ENOENT` and its like; anything else that was thrown is a bug and stays thrown. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (typeof code !== 'string' || !/^E(?!RR_)[A-Z0-9]+$/.test(code)) throw error
  return code
}

/** What is at a path, without following it; null if nothing can be there, or nobody of ours can reach it. */
export function lookAt(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    const code = codeOf(error)
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES'].includes(code)) return null
    throw error
  }
}

/** The bytes of a regular file, or null: links are not followed, a FIFO does not hang us, and it may not be larger. */
export function readRegular(path: string | Buffer, maxBytes: number): Buffer | null {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    codeOf(error)
    return null
  }
  try {
    const { size } = fstatSync(descriptor)
    if (!fstatSync(descriptor).isFile() || size > maxBytes) return null
    const bytes = Buffer.alloc(size)
    let filled = 0
    while (filled < size) {
      const count = readSync(descriptor, bytes, filled, size - filled, null)
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(descriptor)
  }
}

/** Takes away whatever has this name; a link goes, what it points to stays. */
export function removeName(path: string | Buffer): void {
  rmSync(path, { recursive: true, force: true })
}
