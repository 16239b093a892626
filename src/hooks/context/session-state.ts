import { lstatSync, readdirSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, errnoOf } from '../../store/attempt.ts'
import { makePrivateDirectory } from '../../store/private-directory.ts'
import { removeFile } from '../../store/remove-file.ts'
import { writeNewFile } from '../../store/write-new-file.ts'
import type { Threshold } from './alert.ts'

/**
 * What is remembered of a session, in a directory of its own: `fired-50` (the size of the transcript then) and `look-N`, a
 * link to the transcript, which need not be looked at before it has N bytes. The launcher reads both from the name and the
 * link, without node and without reading a file. Whatever cannot be written is left: the next call tries again.
 */
export class SessionState {
  readonly #directory: string
  readonly #names: ReadonlySet<string>

  constructor(directory: string, names: readonly string[]) {
    this.#directory = directory
    this.#names = new Set(names)
  }

  hasFired(threshold: Threshold): boolean {
    return this.#names.has(`fired-${threshold}`)
  }

  /** True for one of all the calls that try it. */
  fire(threshold: Threshold, size: number): boolean {
    const path = join(this.#directory, `fired-${threshold}`)
    return attempt('write', path, () => writeNewFile(path, Buffer.from(String(size)), 0o600, 'unsynced')).ok
  }

  /** Unless it fired at what another call saw later than this one. */
  rearm(threshold: Threshold, size: number): void {
    if (!this.hasFired(threshold)) return
    const path = join(this.#directory, `fired-${threshold}`)
    attempt('remove', path, () => {
      if (lstatSync(path).size <= 20 && Number(readFileSync(path, 'latin1')) < size) removeFile(path)
    })
  }

  lookAt(transcript: string, due: number): void {
    const name = `look-${due}`
    attempt('write', join(this.#directory, name), () => {
      // It can point to where the transcript was before.
      if (this.#names.has(name)) removeFile(join(this.#directory, name))
      symlinkSync(transcript, join(this.#directory, name))
      for (const other of this.#names) {
        if (other.startsWith('look-') && other !== name) removeFile(join(this.#directory, other))
      }
    })
  }

  forget(): void {
    attempt('remove', this.#directory, () => removeSession(this.#directory))
  }
}

const oldMs = 7 * 24 * 60 * 60 * 1000
const ownName = /^(?:fired-\d{2}|look-\d+)$/

/** Null where nothing can be remembered. */
export function openSessionState(session: string, env: NodeJS.ProcessEnv): SessionState | null {
  // As in the launcher.
  if (!/^[A-Za-z0-9-]+$/.test(session)) return null
  for (const place of places(env)) {
    const directory = join(place, session)
    if (!isOurs(place) || !isOurs(directory)) continue
    const names = attempt('read', directory, () => readdirSync(directory))
    if (!names.ok) continue
    if (names.value.length === 0) forgetOldSessions(place)
    return new SessionState(directory, names.value)
  }
  return null
}

/** What Claude Code keeps for us, else a place among everybody's temporary files. */
function places(env: NodeJS.ProcessEnv): string[] {
  const data = env['CLAUDE_PLUGIN_DATA'] ?? ''
  const temporary = env['TMPDIR'] ?? ''
  return [
    ...(data.startsWith('/') ? [join(data, 'context')] : []),
    join(temporary.startsWith('/') ? temporary : '/tmp', `ralph-context-${process.getuid?.() ?? 0}`),
  ]
}

/** Makes it if it is missing. What somebody else made, or where a link leads, is none of ours. */
function isOurs(directory: string): boolean {
  if (!makePrivateDirectory(directory).ok) return false
  const owner = attempt('look at', directory, () => lstatSync(directory).uid)
  return owner.ok && owner.value === (process.getuid?.() ?? owner.value)
}

/** Once a session, when it begins. */
function forgetOldSessions(place: string): void {
  attempt('read', place, () => {
    const before = Date.now() - oldMs
    for (const name of readdirSync(place)) {
      const directory = join(place, name)
      if (!/^[A-Za-z0-9-]+$/.test(name)) continue
      const seen = lstatSync(directory, { throwIfNoEntry: false })
      if (seen?.isDirectory() === true && seen.mtimeMs < before) removeSession(directory)
    }
  })
}

/** Only what we put there; a directory with something else in it stays. */
function removeSession(directory: string): void {
  for (const name of readdirSync(directory)) if (ownName.test(name)) removeFile(join(directory, name))
  try {
    rmdirSync(directory)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error))) throw error
  }
}
