import { readdirSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import { openDirectory } from '../store/directory.ts'
import { lookAt } from '../store/look-at.ts'
import { removeFile } from '../store/remove-file.ts'
import { writeInside } from '../store/write-inside.ts'
import { logLabel, readLogEnds } from './check-log.ts'

/** For the agent; the whole log is in the state directory. */
const maxGuardrailBytes = 10_000_000
const keptGuardrailLogs = 20
const folder = '.ralph'
const ours = /^guardrail_\d{1,9}_\w{1,80}\.log$/

export interface GuardrailRequest {
  /** A real path. */
  readonly project: string
  readonly iteration: number
  /** The check's log in the state directory. Its name tells checks of one iteration apart, so it is the name here too. */
  readonly log: string
}

/** Puts the output of a failed check where the agent can read it. The path, relative to the project. */
export function writeGuardrailLog({ project, iteration, log }: GuardrailRequest): Result<string, Failure> {
  const noteBytes = 100
  const ends = readLogEnds(log, (maxGuardrailBytes - noteBytes) / 2)
  if (ends === null) return err({ reason: 'storage', doing: 'read', path: log, code: 'ENOENT' })
  const { head, tail, totalBytes } = ends
  const leftOut = totalBytes - head.length - tail.length
  const note = leftOut > 0 ? `\n[… ${leftOut} bytes left out …]\n` : ''
  const path = `${folder}/guardrail_${iteration}_${logLabel(log)}.log`
  const written = writeInside(project, path, Buffer.concat([head, Buffer.from(note), tail]), { permissions: 0o644 })
  if (!written.ok) return written
  removeOldLogs(project, path.slice(folder.length + 1))
  return ok(path)
}

/**
 * By time and not by iteration, since each run counts from one. Other names, and directories, are somebody else's. What
 * cannot be removed does no harm.
 */
function removeOldLogs(project: string, justWritten: string): void {
  attempt('tidy', `${project}/${folder}`, () => {
    const directory = openDirectory(project, [folder])
    if (!('at' in directory)) return
    try {
      const logs = readdirSync(directory.at('.'))
        .filter((name) => ours.test(name) && name !== justWritten)
        .map((name) => ({ name, seen: lookAt(directory.at(name)) }))
        .filter(({ seen }) => seen !== null && !seen.isDirectory())
        .toSorted((a, b) => (b.seen?.mtimeMs ?? 0) - (a.seen?.mtimeMs ?? 0))
      for (const { name } of logs.slice(keptGuardrailLogs - 1)) removeFile(directory.at(name))
    } finally {
      directory.close()
    }
  })
}
