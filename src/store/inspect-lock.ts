import { basename, dirname } from 'node:path'
import { unreachable } from '../base/unreachable.ts'
import type { Failure } from '../model/failure.ts'
import type { Host } from './host.ts'
import { judgeOwner, parseOwner, type LockOwner } from './lock-owner.ts'
import { readSmall } from './read-small.ts'

/** What a look at a lock shows. */
export type LockSeen =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly owner: LockOwner }
  /** Its owner is dead for certain: the next start takes it over. */
  | { readonly kind: 'stale'; readonly owner: LockOwner }
  /** Of another machine or container: only a person can know. */
  | { readonly kind: 'foreign'; readonly owner: LockOwner }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Reads and judges; changes nothing. */
export function inspectLock(path: string, host: Host): LockSeen {
  const seen = readSmall(dirname(path), basename(path), 4096)
  if (seen.kind === 'missing') return { kind: 'free' }
  if (seen.kind === 'unreadable') return seen
  const owner = parseOwner(seen.text)
  if (owner === null) return { kind: 'unreadable', why: 'it is not a lock of this program' }
  const kinds = { alive: 'held', dead: 'stale', foreign: 'foreign' } as const
  return { kind: kinds[judgeOwner(owner, host)], owner }
}

/** Why a lock cannot be had now, and the way on. */
export function lockedBy(path: string, seen: Exclude<LockSeen, { kind: 'free' | 'stale' }>): Failure {
  switch (seen.kind) {
    case 'held':
      return {
        reason: 'locked',
        path,
        holder: `process ${seen.owner.pid} runs here`,
        fix: 'Wait for it, or end it with "ralph cancel".',
      }
    case 'foreign':
      return {
        reason: 'locked',
        path,
        holder: `process ${seen.owner.pid} on "${seen.owner.host}" (another machine or container) holds the lock`,
        fix: `If nothing runs there any more, remove ${path} and start again.`,
      }
    case 'unreadable':
      return {
        reason: 'locked',
        path,
        holder: `the lock cannot be read (${seen.why})`,
        fix: `If no other Ralph runs in this project, remove ${path} and start again.`,
      }
    default:
      return unreachable(seen)
  }
}
