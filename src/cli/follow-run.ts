import { ok, type Result } from '../base/result.ts'
import { lookAtProject } from '../journal/look-at-project.ts'
import { runPaths, type ProjectPaths } from '../journal/project-state.ts'
import { readJournalIfAny } from '../journal/read-journal.ts'
import type { Replayed } from '../journal/replay.ts'
import { lastRun } from '../journal/runs.ts'
import type { Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import type { Host } from '../store/host.ts'
import { inspectLock } from '../store/inspect-lock.ts'
import { changesOf, type Changes } from './changes.ts'

export interface Follow {
  readonly project: ProjectPaths
  readonly host: Host
  /** This run; null for the last one, also if it starts only later. */
  readonly runId: string | null
  readonly each: (event: Recorded) => void
  /** There is nothing to show yet. */
  onWaiting(): void
  /** Nobody reads any more. */
  isClosed(): boolean
}

/** Why following is over. */
export type FollowEnd =
  /** The run has stopped and said so. */
  | 'stopped'
  /** The run has not stopped, and nobody goes on with it. */
  | 'crashed'
  | 'closed'

/** How long a change may stay unseen where the disk does not tell. */
const pollMs = 250

/** The run that is shown, and how far. */
interface Place {
  readonly runId: string | null
  readonly changes: Changes
  read: Replayed | null
  /** Whether it was seen going on: then its stop is the end, else it may be an old one. */
  wasGoing: boolean
}

/** Every event of a run, those to come too, until it is over. */
export async function followRun(follow: Follow): Promise<Result<FollowEnd, Failure>> {
  const { project, host } = follow
  const first = lastRun(project)
  if (!first.ok) return first
  const look = follow.runId === null ? lookAtProject(project, host) : ok({ runId: follow.runId })
  if (!look.ok) return look
  if (look.value.runId === null) follow.onWaiting()
  let newest = first.value
  let place = placeAt(project, look.value.runId)
  try {
    for (;;) {
      // The lock before the journal: a runner writes its last record before it gives the lock back.
      const lock = inspectLock(project.lock, host)
      const last = lastRun(project)
      if (!last.ok) return last
      if (follow.runId === null && last.value !== newest && last.value !== place.runId) {
        place.changes.close()
        place = placeAt(project, last.value)
      }
      newest = last.value
      const read = readOn(project, place, follow.each)
      if (!read.ok) return read
      if (follow.isClosed()) return ok('closed')
      const isTaken = lock.kind === 'held' || lock.kind === 'foreign'
      const end = endOf(place, { isTaken, isNewest: place.runId === newest, isFixed: follow.runId !== null })
      if (end !== null) return ok(end)
      await place.changes.next()
    }
  } finally {
    place.changes.close()
  }
}

function placeAt(project: ProjectPaths, runId: string | null): Place {
  const path = runId === null ? project.runs : runPaths(project, runId).journal
  return { runId, changes: changesOf(path, pollMs), read: null, wasGoing: false }
}

function readOn(project: ProjectPaths, place: Place, each: Follow['each']): Result<void, Failure> {
  if (place.runId === null) return ok(undefined)
  const read = readJournalIfAny(runPaths(project, place.runId).journal, each, place.read ?? undefined)
  if (!read.ok) return read
  place.read = read.value ?? place.read
  return ok(undefined)
}

interface Surroundings {
  readonly isTaken: boolean
  readonly isNewest: boolean
  readonly isFixed: boolean
}

function endOf(place: Place, { isTaken, isNewest, isFixed }: Surroundings): FollowEnd | null {
  const state = place.read?.state ?? null
  const mayGoOn = isTaken && isNewest
  if (state === null) return isFixed && !mayGoOn ? 'crashed' : null
  // A run that had stopped before we came may have a successor that is just starting.
  if (state.stopped !== null) return place.wasGoing || isFixed || !isTaken ? 'stopped' : null
  place.wasGoing = true
  return mayGoOn ? null : 'crashed'
}
