import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { codeOf, readRegular } from './disk.ts'
import type { GitLayout } from './git-layout.ts'
import { installFile } from './install-file.ts'
import { readRef } from './project-refs.ts'

export interface RefUpdate {
  readonly ref: string
  readonly commit: string
  /** Where it must be now, null for nowhere; left out: wherever it is. */
  readonly expected?: string | null
  /** What the log shall say that it was before: a commit that the project really has. */
  readonly logFrom: string | null
}

/** Writes a ref of the project by git's own lock protocol, so that a git of the user's at the same moment waits. */
export function writeRef(layout: GitLayout, { ref, commit, expected, logFrom }: RefUpdate): Result<void, Failure> {
  const path = `${layout.commonDir}/${ref}`
  try {
    const before = readRef(layout, ref)
    const written = installFile(
      path,
      Buffer.from(`${commit}\n`),
      () => expected === undefined || readRef(layout, ref) === expected,
    )
    if (!written) return err(refMoved(ref, before, expected ?? null))
    if (before !== commit) addToReflog(`${layout.commonDir}/logs/${ref}`, logFrom, commit)
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path, code: codeOf(error) })
  }
}

export function refMoved(ref: string, now: string | null, expected: string | null): Failure {
  const stderr = `${ref} is at ${now ?? 'nothing'}, not at ${expected ?? 'nothing'}: somebody has moved it`
  return { reason: 'git-failed', doing: 'move the branch', exitCode: null, stderr }
}

/** HEAD on a branch again. */
export function writeHead(layout: GitLayout, branch: string): Result<void, Failure> {
  const path = `${layout.gitDir}/HEAD`
  const text = `ref: refs/heads/${branch}\n`
  try {
    if (readRegular(path, 4096)?.toString('utf8') !== text) installFile(path, Buffer.from(text))
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path, code: codeOf(error) })
  }
}

/** Only a log that is there, and only a file with one name: an agent may have made it another name of somebody's file. */
export function addToReflog(path: string, before: string | null, after: string): void {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    codeOf(error)
    return
  }
  try {
    const seen = fstatSync(descriptor)
    if (!seen.isFile() || seen.nlink !== 1) return
    const seconds = Math.floor(Date.now() / 1000)
    const old = before ?? '0'.repeat(after.length)
    writeSync(descriptor, `${old} ${after} Ralph <ralph@localhost> ${seconds} +0000\tralph: move the branch\n`)
  } finally {
    closeSync(descriptor)
  }
}
