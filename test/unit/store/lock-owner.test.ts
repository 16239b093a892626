import { describe, expect, it } from 'vitest'
import type { Host } from '../../../src/store/host.ts'
import { encodeOwner, judgeOwner, newOwner, parseOwner, type LockOwner } from '../../../src/store/lock-owner.ts'

const host: Host = {
  name: 'here',
  bootId: 'boot-1',
  pidNamespace: 'pid:[1]',
  pid: 100,
  processOf: (pid) => (pid === 100 ? { startTime: '5000' } : 'gone'),
}
const owner = newOwner(host)

describe('an owner', () => {
  it('is read back as it was written', () => {
    expect(parseOwner(encodeOwner(owner).toString())).toEqual(owner)
  })

  it('has a nonce of its own every time', () => {
    expect(newOwner(host).nonce).not.toBe(owner.nonce)
  })

  it.each([
    ['nothing', ''],
    ['half of it', encodeOwner(owner).toString().slice(0, 40)],
    ['zeros', '\0'.repeat(200)],
    ['a list', '[]'],
    ['a nonce that leads elsewhere', JSON.stringify({ ...owner, nonce: '../../../etc/passwd' })],
    ['a pid that is a group', JSON.stringify({ ...owner, pid: -1 })],
    ['a pid that is every process', JSON.stringify({ ...owner, pid: 0 })],
    ['no host', JSON.stringify({ ...owner, host: undefined })],
    ['a start time that is a number', JSON.stringify({ ...owner, startTime: 5000 })],
  ])('is not read from %s', (_, text) => {
    expect(parseOwner(text)).toBeNull()
  })
})

describe('judgeOwner', () => {
  const cases: readonly [string, Partial<LockOwner>, Partial<Host>, string][] = [
    ['the same process', {}, {}, 'alive'],
    ['a process that is gone', { pid: 7 }, {}, 'dead'],
    ['a pid that was given to another process', { startTime: '4999' }, {}, 'dead'],
    ['a start time that nobody knows', { startTime: null }, {}, 'alive'],
    ['a process whose start time is hidden', {}, { processOf: () => ({ startTime: null }) }, 'alive'],
    ['an earlier boot of this machine', { bootId: 'boot-0' }, {}, 'dead'],
    ['an earlier boot in which it lived in a container', { bootId: 'boot-0', pidNamespace: 'pid:[9]' }, {}, 'dead'],
    ['another machine', { host: 'there', bootId: 'boot-9', pid: 7 }, {}, 'foreign'],
    ['another machine that says nothing of its boot', { host: 'there', bootId: null, pid: 7 }, {}, 'foreign'],
    ['this machine under an earlier name', { host: 'there', pid: 7 }, {}, 'dead'],
    ['a container on this machine, where pids mean nothing', { pidNamespace: 'pid:[9]', pid: 7 }, {}, 'foreign'],
    ['a machine without boot ids, gone', { bootId: null, pid: 7 }, { bootId: null }, 'dead'],
    ['a machine without boot ids, there', { bootId: null }, { bootId: null }, 'alive'],
  ]

  it.each(cases)('%s', (_, change, hostChange, verdict) => {
    expect(judgeOwner({ ...owner, ...change }, { ...host, ...hostChange })).toBe(verdict)
  })
})
