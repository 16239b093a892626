import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { makePrivateDirectory } from './private-directory.ts'
import { readBytes } from './read-bytes.ts'
import { maxSmallFile } from './read-regular.ts'
import { replaceFile } from './replace-file.ts'

/** Bytes kept under the hash of their content: written once, and what comes back is what was put in. */
export interface Objects {
  /** The sha256 in hexadecimal. Putting the same bytes again changes nothing. */
  put(bytes: Uint8Array): Result<string, Failure>
  get(hash: string): Result<Buffer, Failure>
}

export function openObjects(directory: string, maxBytes = maxSmallFile): Objects {
  const placeOf = (hash: string): string => `${hash.slice(0, 2)}/${hash.slice(2)}`
  const get = (hash: string): Result<Buffer, Failure> => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`not an object's hash: ${hash}`)
    const path = join(directory, placeOf(hash))
    const seen = readBytes(directory, placeOf(hash), maxBytes)
    if (seen.kind === 'missing') return err({ reason: 'storage', doing: 'read', path, code: 'ENOENT' })
    if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
    if (hashOf(seen.bytes) === hash) return ok(seen.bytes)
    return err({ reason: 'unsafe-file', path, why: 'its content is not what was stored' })
  }
  return {
    get,
    put(bytes) {
      const hash = hashOf(bytes)
      if (get(hash).ok) return ok(hash)
      const path = join(directory, placeOf(hash))
      const made = makePrivateDirectory(dirname(path))
      if (!made.ok) return made
      const written = replaceFile(path, bytes)
      return written.ok ? ok(hash) : written
    },
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
