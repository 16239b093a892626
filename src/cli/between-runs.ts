import { existsSync } from 'node:fs'
import { err, type Result } from '../base/result.ts'
import { lookAtProject } from '../journal/look-at-project.ts'
import { prepareProject } from '../journal/project-state.ts'
import type { Failure } from '../model/failure.ts'
import type { RunState } from '../model/run-state.ts'
import { thisHost } from '../store/host.ts'
import { acquireLock } from '../store/lock.ts'
import { isUnsettled } from './choose-run.ts'
import type { Project } from './project.ts'

/** What a person wants to change, in two steps. */
export interface Change<Found, T> {
  /** Changes nothing. */
  look(): Promise<Result<Found, Failure>>
  /** `run`: the last one. */
  act(found: Found, run: RunState | null): Promise<Result<T, Failure>>
}

/**
 * For a person's changes of a loop: while nobody else holds the project, and not before every iteration is judged, since
 * the next run would take what was changed after it for the agent's.
 */
export async function betweenRuns<Found, T>({ state }: Project, change: Change<Found, T>): Promise<Result<T, Failure>> {
  if (!existsSync(state.directory)) {
    // The lock makes directories, and wrong input leaves nothing behind.
    const wanted = await change.look()
    if (!wanted.ok) return wanted
  }
  const prepared = prepareProject(state)
  if (!prepared.ok) return prepared
  const host = thisHost()
  const lock = acquireLock(state.lock, host)
  if (!lock.ok) return lock
  try {
    const look = lookAtProject(state, host)
    if (!look.ok) return look
    const { run } = look.value
    if (run !== null && isUnsettled(run)) {
      const where = run.open === null ? 'its last checks' : `iteration ${run.open.iteration}`
      return err({
        reason: 'locked',
        path: state.lock,
        holder: `the last run was cut off in ${where}, which nobody has judged yet`,
        fix: 'Start "ralph run" once: it judges what was left there before anything else.',
      })
    }
    const found = await change.look()
    return found.ok ? await change.act(found.value, run) : found
  } finally {
    lock.value.release()
  }
}
