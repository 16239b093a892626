import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, parseJson } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from './attempt.ts'
import { makePrivateDirectory } from './private-directory.ts'
import { readSmall } from './read-small.ts'
import { replaceFile } from './replace-file.ts'
import { syncDirectory } from './sync-directory.ts'
import { writeNewFile } from './write-new-file.ts'

/** Something that the referee took out: a path of the project, a field of a story. */
export interface RejectedItem {
  /** The agent's own words, perhaps: it names no file. */
  readonly what: string
  readonly bytes: Uint8Array
}

/** One line of `index.json`. */
interface Entry {
  readonly what: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

const maxIndexBytes = 256 * 1024 * 1024

/**
 * Keeps what was taken out for people, in numbered files of the state directory; `index.json` says what each was. Returns
 * when it is on the disk, since the original is about to go. Saving again after a crash adds only what is new.
 */
export function saveRejected(directory: string, items: readonly RejectedItem[]): Result<void, Failure> {
  if (items.length === 0) return ok(undefined)
  const made = makePrivateDirectory(directory)
  if (!made.ok) return made
  const index = readIndex(directory)
  if (!index.ok) return index
  const known = new Set(index.value.map(keyOf))
  const fresh = items
    .map(({ what, bytes }) => ({ what, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }))
    .filter((item) => !known.has(keyOf(item)))
  if (fresh.length === 0) return ok(undefined)
  const written = attempt('write', directory, () => {
    // The index is written last, so a killed runner may have left files that are in no index.
    const taken = readdirSync(directory).map((name) => (/^\d{4,9}$/.test(name) ? Number(name) : 0))
    let number = taken.reduce((a, b) => Math.max(a, b), 0)
    const entries = fresh.map(({ what, bytes, sha256 }): Entry => {
      const file = String(++number).padStart(4, '0')
      writeNewFile(join(directory, file), bytes, 0o600)
      return { what, file, bytes: bytes.length, sha256 }
    })
    syncDirectory(directory)
    return entries
  })
  if (!written.ok) return written
  const text = JSON.stringify([...index.value, ...written.value], null, 2)
  return replaceFile(join(directory, indexName), Buffer.from(`${text}\n`))
}

const indexName = 'index.json'

const keyOf = ({ what, sha256 }: Pick<Entry, 'what' | 'sha256'>): string => `${sha256} ${what}`

/** One that cannot be read is left as it is: it names what people may be looking for. */
function readIndex(directory: string): Result<readonly Entry[], Failure> {
  const seen = readSmall(directory, indexName, maxIndexBytes)
  if (seen.kind === 'missing') return ok([])
  const path = join(directory, indexName)
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
  const json = parseJson(seen.text)
  if (!json.ok) return err({ reason: 'unsafe-file', path, why: json.error })
  const isEntry = (entry: unknown): boolean =>
    isObject(entry) && typeof entry['what'] === 'string' && typeof entry['sha256'] === 'string'
  return Array.isArray(json.value) && json.value.every(isEntry)
    ? ok(json.value as unknown as Entry[])
    : err({ reason: 'unsafe-file', path, why: 'it is no list of what was taken out' })
}
