import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { thisHost } from '../../src/store/host.ts'
import { encodeOwner, newOwner, type LockOwner } from '../../src/store/lock-owner.ts'

const host = thisHost()

/** A process that has lived and is gone. */
export function deadPid(): number {
  return spawnSync('true').pid
}

/** The ways in which an owner can be dead for certain. */
export const deadOwners: Readonly<Record<string, () => LockOwner>> = {
  'its process is gone': () => ({ ...newOwner(host), pid: deadPid() }),
  'its pid is another process now': () => ({ ...newOwner(host), startTime: '1' }),
  'the machine was started again': () => ({ ...newOwner(host), bootId: 'an earlier boot' }),
}

export function writeLock(path: string, owner: LockOwner): LockOwner {
  writeFileSync(path, encodeOwner(owner), { mode: 0o600 })
  return owner
}

/** A stale lock whose takeover has crashed so many times, each time at the latest point. */
export function writeCrashedTakeovers(path: string, times: number): void {
  let dead = writeLock(path, { ...newOwner(host), startTime: '1' })
  for (let crash = 0; crash < times; crash++) {
    const next = { ...newOwner(host), startTime: '1' }
    writeLock(`${path}.takeover.${dead.nonce}`, next)
    writeLock(`${path}.${next.nonce}.${next.pid}.draft`, next)
    dead = next
  }
}
