import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { formatRunId, isRunId } from '../base/ids.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt, errnoOf, storageFailure } from '../store/attempt.ts'
import { lookAt } from '../store/look-at.ts'
import { syncDirectory } from '../store/sync-directory.ts'
import { runPaths, type ProjectPaths } from './project-state.ts'

/** So many runs of a project are kept. */
const keptRuns = 20

/** The ids of all runs, oldest first. Links and foreign names in the directory are not runs. */
export function listRuns({ runs }: ProjectPaths): Result<string[], Failure> {
  try {
    // A linked `runs` would have us list, and later delete, somewhere else.
    if (lookAt(runs)?.isSymbolicLink() === true) return err({ reason: 'unsafe-file', path: runs, why: 'it is a link' })
    const entries = readdirSync(runs, { withFileTypes: true })
    return ok(
      entries
        .filter((entry) => entry.isDirectory() && isRunId(entry.name))
        .map((entry) => entry.name)
        .sort(),
    )
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? ok([]) : err(storageFailure('list', runs, error))
  }
}

export function lastRun(project: ProjectPaths): Result<string | null, Failure> {
  const runs = listRuns(project)
  return runs.ok ? ok(runs.value.at(-1) ?? null) : runs
}

/** A new run's id and empty directory (0700). Its id sorts behind all others, also when the clock was set back. */
export function createRun(project: ProjectPaths, clock: Clock): Result<string, Failure> {
  const last = lastRun(project)
  if (!last.ok) return last
  let runId = formatRunId(clock.now(), randomBytes(4))
  if (last.value !== null && runId <= last.value) runId = formatRunId(secondOf(last.value) + 1000, randomBytes(4))
  const { directory } = runPaths(project, runId)
  return attempt('create', directory, () => {
    mkdirSync(directory, 0o700)
    syncDirectory(project.runs)
    return runId
  })
}

/** Deletes the oldest beyond the limit, never the run in use. The ids that are gone. */
export function pruneRuns(project: ProjectPaths, inUse: string, keep = keptRuns): Result<string[], Failure> {
  const runs = listRuns(project)
  if (!runs.ok) return runs
  const old = runs.value.slice(0, Math.max(0, runs.value.length - keep)).filter((runId) => runId !== inUse)
  for (const runId of old) {
    // rm removes links instead of following them, and the directory itself was seen not to be one.
    const removed = attempt('remove', join(project.runs, runId), () =>
      rmSync(join(project.runs, runId), { recursive: true, force: true }),
    )
    if (!removed.ok) return removed
  }
  return ok(old)
}

function secondOf(runId: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(runId) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
