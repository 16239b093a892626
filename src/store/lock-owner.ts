import { randomBytes } from 'node:crypto'
import { isObject, parseJson } from '../base/json.ts'
import type { Host } from './host.ts'

/** Who holds a lock. */
export interface LockOwner {
  readonly pid: number
  readonly startTime: string | null
  readonly host: string
  readonly bootId: string | null
  readonly pidNamespace: string | null
  /** Unique for every acquisition; names files, so it is hexadecimal. */
  readonly nonce: string
}

export function newOwner(host: Host): LockOwner {
  const self = host.processOf(host.pid)
  return {
    pid: host.pid,
    startTime: self === 'gone' ? null : self.startTime,
    host: host.name,
    bootId: host.bootId,
    pidNamespace: host.pidNamespace,
    nonce: randomBytes(16).toString('hex'),
  }
}

export function encodeOwner(owner: LockOwner): Buffer {
  return Buffer.from(`${JSON.stringify(owner)}\n`)
}

/** Null for anything that we would not have written. */
export function parseOwner(text: string): LockOwner | null {
  const json = parseJson(text)
  if (!json.ok || !isObject(json.value)) return null
  const { pid, startTime, host, bootId, pidNamespace, nonce } = json.value
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return null
  if (typeof host !== 'string' || typeof nonce !== 'string' || !/^[0-9a-f]{32}$/.test(nonce)) return null
  if (!textOrNull(startTime) || !textOrNull(bootId) || !textOrNull(pidNamespace)) return null
  return { pid, startTime, host, bootId, pidNamespace, nonce }
}

/**
 * `dead` only when that is certain. Same boot is the same machine whatever its name is now; same name and another boot
 * is a machine that was started again; everything else is `foreign`, and nobody here can know.
 */
export function judgeOwner(owner: LockOwner, host: Host): 'alive' | 'dead' | 'foreign' {
  const sameBoot = owner.bootId !== null && owner.bootId === host.bootId
  if (!sameBoot && owner.host !== host.name) return 'foreign'
  if (!sameBoot && owner.bootId !== null && host.bootId !== null) return 'dead'
  if (owner.pidNamespace !== host.pidNamespace) return 'foreign'
  const found = host.processOf(owner.pid)
  if (found === 'gone') return 'dead'
  const differs = owner.startTime !== null && found.startTime !== null && owner.startTime !== found.startTime
  return differs ? 'dead' : 'alive'
}

function textOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}
