import { lstatSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { attempt, errnoOf } from '../../store/attempt.ts'
import { makePrivateDirectory } from '../../store/private-directory.ts'
import { readSmall } from '../../store/read-small.ts'
import { removeFile } from '../../store/remove-file.ts'
import { writeNewFile } from '../../store/write-new-file.ts'
import { thresholds, type Threshold } from './alert.ts'

/**
 * What is remembered of a session, in a directory of its own: `fired-50` with the size of the transcript then, and
 * `look-LOW-HIGH`, a link to the transcript: there is nothing to do while so many tokens are used. The launcher reads that
 * from the name and through the link. Whatever cannot be written is left; the next call tries again.
 */
export class SessionState {
  readonly #directory: string
  readonly #looks: readonly string[]
  readonly #fired: Set<Threshold>

  constructor(directory: string, names: readonly string[]) {
    this.#directory = directory
    this.#looks = names.filter((name) => name.startsWith('look-'))
    this.#fired = new Set(thresholds.filter((threshold) => names.includes(`fired-${threshold}`)))
  }

  /** In rising order. */
  fired(): readonly Threshold[] {
    return thresholds.filter((threshold) => this.#fired.has(threshold))
  }

  /** True for one of all the calls that try it. */
  fire(threshold: Threshold, size: number): boolean {
    const path = join(this.#directory, `fired-${threshold}`)
    this.#fired.add(threshold)
    return attempt('write', path, () => writeNewFile(path, Buffer.from(String(size)), 0o600, 'unsynced')).ok
  }

  /** Unless it fired at what another call saw later than this one. */
  rearm(threshold: Threshold, size: number): void {
    const seen = readSmall(this.#directory, `fired-${threshold}`, 32)
    if (seen.kind !== 'text' || Number(seen.text) >= size) return
    const path = join(this.#directory, `fired-${threshold}`)
    if (attempt('remove', path, () => removeFile(path)).ok) this.#fired.delete(threshold)
  }

  /** Nothing is to do while more than `low` and less than `high` tokens are used. */
  holds(transcript: string, low: number, high: number): void {
    const name = `look-${low}-${high}`
    attempt('write', join(this.#directory, name), () => {
      for (const look of this.#looks) removeFile(join(this.#directory, look))
      symlinkSync(transcript, join(this.#directory, name))
    })
  }

  forget(): void {
    attempt('remove', this.#directory, () => removeSession(this.#directory))
  }
}

const oldMs = 7 * 24 * 60 * 60 * 1000
const ownName = /^(?:fired-\d{2}|look-\d+-\d+)$/

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
