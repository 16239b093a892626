import { setTimeout as delay } from 'node:timers/promises'
import { err, ok, type Result } from '../base/result.ts'
import { readRequest, requestStop, type StopRequest } from '../journal/control-file.ts'
import type { ProjectPaths } from '../journal/project-state.ts'
import type { Failure } from '../model/failure.ts'
import { wakeProcess } from '../process/wake-process.ts'
import type { Host } from '../store/host.ts'
import { inspectLock, lockedBy } from '../store/inspect-lock.ts'
import type { LockOwner } from '../store/lock-owner.ts'

export interface StopHolder {
  readonly project: ProjectPaths
  readonly host: Host
  /** Who held the lock when somebody looked. */
  readonly owner: LockOwner
  readonly request: StopRequest
  /** null: for as long as it takes. */
  readonly deadlineMs: number | null
}

/** How it ended: the lock was given back, its holder died with it, or it is still held after the deadline. */
export type StopEnd = 'released' | 'died' | 'late'

const pollMs = 50

/** Asks the runner that holds a project to stop, and waits until it has. */
export async function stopHolder({ project, host, owner, ...asked }: StopHolder): Promise<Result<StopEnd, Failure>> {
  const { request, deadlineMs } = asked
  const requested = requestStop(project.control, owner.nonce, request)
  if (!requested.ok) return requested
  wakeProcess(owner.pid)
  const start = performance.now()
  for (;;) {
    const seen = inspectLock(project.lock, host)
    if (seen.kind === 'unreadable') return err(lockedBy(project.lock, seen))
    // Whoever holds it now may have come after.
    if (seen.kind === 'free' || seen.owner.nonce !== owner.nonce) return ok('released')
    if (seen.kind === 'stale') return ok('died')
    // A runner that is just starting clears what was asked of others, and may have taken ours with it.
    const isLost = readRequest(project.control, owner.nonce) === null
    const again = isLost ? requestStop(project.control, owner.nonce, request) : ok(undefined)
    if (!again.ok) return again
    if (deadlineMs !== null && performance.now() - start >= deadlineMs) return ok('late')
    await delay(pollMs)
  }
}
