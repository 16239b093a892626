import { linkSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt, errnoOf, storageFailure } from './attempt.ts'
import type { Host } from './host.ts'
import { inspectLock, lockedBy } from './inspect-lock.ts'
import { encodeOwner, newOwner, type LockOwner } from './lock-owner.ts'
import { removeFile } from './remove-file.ts'
import { writeNewFile } from './write-new-file.ts'

/** Held by this process. Give it back with `release`; a killed holder's lock is taken over by the next start. */
export interface Lock {
  readonly nonce: string
  /** Fencing: asked before every iteration. False if a person removed the lock and somebody else took it. */
  stillOurs(): boolean
  /** Removes only our own. */
  release(): Result<'released' | 'not-ours', Failure>
}

/** Every further try means that another starter got ahead meanwhile, so a few are plenty. */
const maxTries = 100

/**
 * The complete file is published by link(2), which one of any number of starters wins, so nobody ever reads half a lock.
 *
 * A stale lock is not removed, since whoever removes by name may hit the successor's. It is replaced by the one who
 * links the file `<lock>.takeover.<nonce of the stale lock>`. If that one dies on the way, its own nonce names the next
 * takeover file, and so on: names are never used twice and nothing is removed while the stale lock is there, so at most
 * one living process is at the end of the chain, and no crash closes it.
 */
export function acquireLock(path: string, host: Host): Result<Lock, Failure> {
  const owner = newOwner(host)
  const draft = `${path}.${owner.nonce}.${owner.pid}.draft`
  const written = attempt('write', path, () => writeNewFile(draft, encodeOwner(owner), 0o600))
  if (!written.ok) return written
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const got = tryOnce({ path, draft, owner, host })
      if (got === 'again') continue
      if (!got.ok) return got
      tidy(() => sweep(path, host))
      return ok(heldLock(path, owner.nonce, host))
    }
    return err(busy(path))
  } catch (error) {
    return err(storageFailure('lock', path, error))
  } finally {
    tidy(() => removeFile(draft))
  }
}

interface Try {
  readonly path: string
  readonly draft: string
  readonly owner: LockOwner
  readonly host: Host
}

function tryOnce({ path, draft, owner, host }: Try): Result<void, Failure> | 'again' {
  if (linkIfFree(draft, path)) return ok(undefined)
  const seen = inspectLock(path, host)
  if (seen.kind === 'free') return 'again'
  // NFS can report a link that was made as one that was refused.
  if ('owner' in seen && seen.owner.nonce === owner.nonce) return ok(undefined)
  return seen.kind === 'stale' ? takeOver({ path, draft, owner, host }, seen.owner) : err(lockedBy(path, seen))
}

function takeOver({ path, draft, host }: Try, stale: LockOwner): Result<void, Failure> | 'again' {
  let slot = slotFor(path, stale)
  for (let crashed = 0; !linkIfFree(draft, slot); crashed++) {
    const seen = inspectLock(slot, host)
    if (seen.kind === 'free') return 'again'
    if (seen.kind === 'held' || crashed === maxTries) return err(busy(path))
    if (seen.kind !== 'stale') return err(lockedBy(slot, seen))
    slot = slotFor(path, seen.owner)
  }
  try {
    // Looked at again, now that nobody else may replace it: another one may have done so before we had the slot.
    const now = inspectLock(path, host)
    if (now.kind !== 'stale' || now.owner.nonce !== stale.nonce) return 'again'
    renameSync(draft, path)
    return ok(undefined)
  } finally {
    tidy(() => removeFile(slot))
  }
}

const slotFor = (path: string, dead: LockOwner): string => `${path}.takeover.${dead.nonce}`

function linkIfFree(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * What crashed starters left. Safe only for the holder: as long as we live, every takeover in progress finds our nonce
 * when it looks again. Drafts of living or foreign starters stay.
 */
function sweep(path: string, host: Host): void {
  const prefix = `${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const file = join(dirname(path), name)
    if (name.startsWith(`${prefix}takeover.`)) removeFile(file)
    else if (name.endsWith('.draft') && isLeftover(file, host)) removeFile(file)
  }
}

/** A draft says whose it is; one that was cut short does so by its name only. */
function isLeftover(draft: string, host: Host): boolean {
  const seen = inspectLock(draft, host)
  if (seen.kind !== 'unreadable') return seen.kind === 'stale'
  const pid = Number(draft.split('.').at(-2))
  return Number.isSafeInteger(pid) && pid > 0 && host.processOf(pid) === 'gone'
}

/** What stays lying around does no harm and is swept by a later holder, so it never decides whether we have the lock. */
function tidy(action: () => unknown): void {
  try {
    action()
  } catch (error) {
    errnoOf(error)
  }
}

function heldLock(path: string, nonce: string, host: Host): Lock {
  const stillOurs = (): boolean => {
    const seen = inspectLock(path, host)
    return 'owner' in seen && seen.owner.nonce === nonce
  }
  return {
    nonce,
    stillOurs,
    release: () =>
      attempt('unlock', path, () => {
        if (!stillOurs()) return 'not-ours'
        removeFile(path)
        return 'released'
      }),
  }
}

function busy(path: string): Failure {
  return {
    reason: 'locked',
    path,
    holder: 'another Ralph is just starting here',
    fix: 'Wait a moment; "ralph status" shows what runs.',
  }
}
