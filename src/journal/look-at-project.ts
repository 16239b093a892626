import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RunState } from '../model/run-state.ts'
import type { Host } from '../store/host.ts'
import { inspectLock, type LockSeen } from '../store/inspect-lock.ts'
import { runPaths, type ProjectPaths } from './project-state.ts'
import { readJournalIfAny } from './read-journal.ts'
import { listRuns } from './runs.ts'

/** What somebody sees who only looks. */
export interface ProjectLook {
  readonly phase: ProjectPhase
  readonly lock: LockSeen
  /** The last run; null if there was none. */
  readonly runId: string | null
  /** null also while a run has not recorded its start. */
  readonly run: RunState | null
}

export type ProjectPhase =
  /** No run ever started here. */
  | 'none'
  /** Somebody alive holds the lock and the last run has not stopped. Of another machine's lock that is assumed. */
  | 'running'
  | 'stopped'
  /** The last run has not stopped, and nobody is there to go on with it. */
  | 'crashed'

/** Every further look means that a run began or ended meanwhile. */
const maxLooks = 5

/** The lock and the last journal, as they were at one time. Changes nothing. */
export function lookAtProject(project: ProjectPaths, host: Host): Result<ProjectLook, Failure> {
  let lock = inspectLock(project.lock, host)
  for (let looks = 1; ; looks++) {
    const found = lastRecorded(project, isTaken(lock))
    if (!found.ok) return found
    const after = inspectLock(project.lock, host)
    // A runner writes its last record before it gives the lock back, so with one holder before and after nothing is missed.
    if (looks < maxLooks && holderOf(after) !== holderOf(lock)) lock = after
    else return ok({ phase: phaseOf(found.value, after), lock: after, ...found.value })
  }
}

type Found = Pick<ProjectLook, 'runId' | 'run'>

/** A directory without a record is a start that died at once: it counts only while somebody may still write into it. */
function lastRecorded(project: ProjectPaths, taken: boolean): Result<Found, Failure> {
  const runs = listRuns(project)
  if (!runs.ok) return runs
  for (const runId of runs.value.toReversed()) {
    const read = readJournalIfAny(runPaths(project, runId).journal)
    if (!read.ok) return read
    const run = read.value?.state ?? null
    if (run !== null || taken) return ok({ runId, run })
  }
  return ok({ runId: null, run: null })
}

function phaseOf({ runId, run }: Found, lock: LockSeen): ProjectPhase {
  if (runId === null) return 'none'
  if (run !== null && run.stopped !== null) return 'stopped'
  return isTaken(lock) ? 'running' : 'crashed'
}

const isTaken = (lock: LockSeen): boolean => lock.kind === 'held' || lock.kind === 'foreign'

const holderOf = (lock: LockSeen): string => `${lock.kind} ${'owner' in lock ? lock.owner.nonce : ''}`
