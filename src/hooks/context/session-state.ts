import { closeSync, lstatSync, openSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs'
import { attempt, errnoOf } from '../../store/attempt.ts'
import { makePrivateDirectory } from '../../store/private-directory.ts'
import { removeFile } from '../../store/remove-file.ts'
import { thresholds, type Threshold } from './alert.ts'

/**
 * What is remembered of a session, in a directory of its own: `fired-50`, which is as old as its alert, and
 * `look-LOW-HIGH`, a link to the transcript: there is nothing to do while so many tokens are used. The launcher reads that
 * from the name and through the link. Whatever cannot be written is left; the next call tries again.
 */
export class SessionState {
  readonly #directory: string
  readonly #looks: readonly string[]
  readonly #fired: Set<Threshold>
  readonly #openedAt = Date.now()

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
  fire(threshold: Threshold): boolean {
    const path = this.#path(`fired-${threshold}`)
    this.#fired.add(threshold)
    return attempt('write', path, () => closeSync(openSync(path, 'wx', 0o600))).ok
  }

  /** Unless it fired at what another call saw later than this one. */
  rearm(threshold: Threshold): void {
    const path = this.#path(`fired-${threshold}`)
    const removed = attempt('remove', path, () => lstatSync(path).mtimeMs < this.#openedAt && removeFile(path))
    if (removed.ok && removed.value) this.#fired.delete(threshold)
  }

  /** Nothing is to do while more than `low` and less than `high` tokens are used. */
  holds(transcript: string, low: number, high: number): void {
    const name = `look-${low}-${high}`
    attempt('write', this.#path(name), () => {
      for (const look of this.#looks) removeFile(this.#path(look))
      symlinkSync(transcript, this.#path(name))
    })
  }

  forget(): void {
    attempt('remove', this.#directory, () => removeSession(this.#directory))
  }

  #path(name: string): string {
    return `${this.#directory}/${name}`
  }
}

const oldMs = 7 * 24 * 60 * 60 * 1000
const ownName = /^(?:fired-\d{2}|look-\d+-\d+)$/

/** Null where nothing can be remembered. */
export function openSessionState(session: string, env: NodeJS.ProcessEnv): SessionState | null {
  // As in the launcher.
  if (!/^[A-Za-z0-9-]+$/.test(session)) return null
  for (const place of places(env)) {
    const directory = `${place}/${session}`
    if (!isOurs(directory) && !makeOurs(place, directory)) continue
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
    ...(data.startsWith('/') ? [`${data}/context`] : []),
    `${temporary.startsWith('/') ? temporary : '/tmp'}/ralph-context-${process.getuid?.() ?? 0}`,
  ]
}

/** What somebody else made, or where a link leads, is none of ours. */
function isOurs(directory: string): boolean {
  const seen = attempt('look at', directory, () => lstatSync(directory, { throwIfNoEntry: false }))
  if (!seen.ok || seen.value === undefined) return false
  const { uid, mode } = seen.value
  return seen.value.isDirectory() && uid === (process.getuid?.() ?? uid) && (mode & 0o077) === 0
}

function makeOurs(place: string, directory: string): boolean {
  return [place, directory].every((path) => makePrivateDirectory(path, 'unsynced').ok && isOurs(path))
}

/** Once a session, when it begins. */
function forgetOldSessions(place: string): void {
  attempt('read', place, () => {
    const before = Date.now() - oldMs
    for (const name of readdirSync(place)) {
      const directory = `${place}/${name}`
      if (!/^[A-Za-z0-9-]+$/.test(name)) continue
      const seen = lstatSync(directory, { throwIfNoEntry: false })
      if (seen?.isDirectory() === true && seen.mtimeMs < before) removeSession(directory)
    }
  })
}

/** Only what we put there; a directory with something else in it stays. */
function removeSession(directory: string): void {
  for (const name of readdirSync(directory)) if (ownName.test(name)) removeFile(`${directory}/${name}`)
  try {
    rmdirSync(directory)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error))) throw error
  }
}
