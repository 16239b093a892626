import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { thisHost } from '../../../src/store/host.ts'
import { inspectLock } from '../../../src/store/inspect-lock.ts'
import { newOwner } from '../../../src/store/lock-owner.ts'
import { acquireLock, type Lock } from '../../../src/store/lock.ts'
import { bundleProgram } from '../../support/bundle-program.ts'
import { race, startStarters } from '../../support/lock-race.ts'
import { scratch } from '../../support/scratch.ts'
import { deadOwners, writeCrashedTakeovers, writeLock } from '../../support/stale-lock.ts'
import { hasStrace, runWithFault, straceReason } from '../../support/strace.ts'

const host = thisHost()

function acquire(path: string): Lock {
  const got = acquireLock(path, host)
  if (!got.ok) throw new Error(JSON.stringify(got.error))
  return got.value
}

function refused(path: string): { holder: string; fix: string } {
  const got = acquireLock(path, host)
  if (got.ok || got.error.reason !== 'locked') throw new Error(JSON.stringify(got))
  return got.error
}

describe('a lock', () => {
  it('is one file that only its owner can read, in a directory that only its owner can enter', () => {
    const directory = join(scratch(), 'state')
    mkdirSync(directory, 0o700)
    acquire(join(directory, 'lock'))
    expect(readdirSync(directory)).toEqual(['lock'])
    expect(statSync(join(directory, 'lock')).mode & 0o777).toBe(0o600)
  })

  it('names its owner completely', () => {
    const path = join(scratch(), 'lock')
    const { nonce } = acquire(path)
    expect(inspectLock(path, host)).toEqual({ kind: 'held', owner: { ...newOwner(host), nonce } })
  })

  it('is refused to everybody else while its owner lives', () => {
    const path = join(scratch(), 'lock')
    const lock = acquire(path)
    expect(refused(path)).toMatchObject({
      holder: `process ${process.pid} runs here`,
      fix: expect.stringContaining('ralph cancel') as string,
    })
    expect(lock.stillOurs()).toBe(true)
    expect(readdirSync(join(path, '..'))).toEqual(['lock'])
  })

  it('is free again after its release', () => {
    const path = join(scratch(), 'lock')
    expect(acquire(path).release()).toEqual({ ok: true, value: 'released' })
    expect(inspectLock(path, host)).toEqual({ kind: 'free' })
    acquire(path)
  })

  it.each(Object.entries(deadOwners))('is taken over when %s', (_, dead) => {
    const path = join(scratch(), 'lock')
    writeLock(path, dead())
    expect(inspectLock(path, host).kind).toBe('stale')
    expect(acquire(path).stillOurs()).toBe(true)
    expect(readdirSync(join(path, '..'))).toEqual(['lock'])
  })

  it.each([1, 2, 40])('is taken over after %i takeovers that crashed, and what they left is swept', (times) => {
    const path = join(scratch(), 'lock')
    writeCrashedTakeovers(path, times)
    expect(acquire(path).stillOurs()).toBe(true)
    expect(readdirSync(join(path, '..'))).toEqual(['lock'])
  })

  it('is not taken over twice: who finds a living one at it stands back', () => {
    const path = join(scratch(), 'lock')
    const dead = writeLock(path, { ...newOwner(host), startTime: '1' })
    writeLock(`${path}.takeover.${dead.nonce}`, newOwner(host))
    expect(refused(path).holder).toContain('just starting')
    expect(inspectLock(path, host)).toMatchObject({ kind: 'stale', owner: { nonce: dead.nonce } })
  })

  it('ends at a takeover chain that was forged into a ring', () => {
    const path = join(scratch(), 'lock')
    const dead = writeLock(path, { ...newOwner(host), startTime: '1' })
    writeLock(`${path}.takeover.${dead.nonce}`, dead)
    expect(refused(path).holder).toContain('just starting')
  })

  it.each([
    ['of another machine', { host: 'elsewhere', bootId: 'its own' }],
    ['of a container', { pidNamespace: 'pid:[1]' }],
  ])('%s is never stolen, and the message says what to do', (_, change) => {
    const path = join(scratch(), 'lock')
    const owner = writeLock(path, { ...newOwner(host), startTime: '1', ...change })
    expect(refused(path)).toMatchObject({
      holder: expect.stringContaining(`"${owner.host}"`) as string,
      fix: `If nothing runs there any more, remove ${path} and start again.`,
    })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(owner)
  })

  it.each<[string, (path: string) => void]>([
    ['empty', (path) => writeFileSync(path, '')],
    ['zeros', (path) => writeFileSync(path, '\0'.repeat(300))],
    ['huge', (path) => writeFileSync(path, ' '.repeat(5000))],
    ['a link', (path) => symlinkSync('/etc/passwd', path)],
    ['a directory', (path) => mkdirSync(path)],
  ])('that is %s is never stolen', (_, plant) => {
    const path = join(scratch(), 'lock')
    plant(path)
    expect(refused(path).fix).toContain(`remove ${path}`)
    expect(readdirSync(join(path, '..'))).toEqual(['lock'])
  })

  it('notices that somebody else has it now, and leaves theirs alone', () => {
    const path = join(scratch(), 'lock')
    const ours = acquire(path)
    renameSync(path, `${path}-removed-by-hand`)
    expect(ours.stillOurs()).toBe(false)
    const theirs = acquire(path)
    expect(ours.stillOurs()).toBe(false)
    expect(ours.release()).toEqual({ ok: true, value: 'not-ours' })
    expect(theirs.stillOurs()).toBe(true)
  })

  it.skipIf(process.getuid?.() === 0)('that cannot be written is a failure with its code (not as root)', () => {
    const directory = scratch()
    chmodSync(directory, 0o500)
    expect(acquireLock(join(directory, 'lock'), host)).toMatchObject({
      ok: false,
      error: { reason: 'storage', code: 'EACCES' },
    })
  })

  it('in a directory that is not there is a failure with its code', () => {
    const got = acquireLock(join(scratch(), 'nowhere', 'lock'), host)
    expect(got).toMatchObject({ ok: false, error: { reason: 'storage', code: 'ENOENT' } })
  })
})

describe('six starters at the same moment', () => {
  const plants: Readonly<Record<string, (path: string, round: number) => void>> = {
    fresh: () => undefined,
    stale: (path, round) => {
      const kinds = Object.values(deadOwners)
      writeLock(path, (kinds[round % kinds.length] ?? (() => newOwner(host)))())
    },
    'stale with crashed takeovers': (path, round) => writeCrashedTakeovers(path, 1 + (round % 3)),
  }

  it.each(Object.entries(plants))('%s lock, 100 rounds: exactly one holder each', async (_, plant) => {
    const directory = scratch()
    const starters = await startStarters(bundleProgram('lock-starter', directory), 6)
    for (let round = 0; round < 100; round++) {
      const state = join(directory, `round-${round}`)
      mkdirSync(state, 0o700)
      const path = join(state, 'lock')
      plant(path, round)
      const answers = await race(starters, path)
      const holders = answers.filter((answer) => answer.startsWith('held '))
      expect(holders, answers.join('\n')).toHaveLength(1)
      expect(answers.filter((answer) => answer.includes('"reason":"locked"'))).toHaveLength(5)
      expect(inspectLock(path, host)).toMatchObject({ kind: 'held', owner: { nonce: holders[0]?.slice(5) } })
      const released = await Promise.all(starters.map(async (starter) => starter.ask('release')))
      expect(released.filter((answer) => answer === 'released')).toHaveLength(1)
    }
    await Promise.all(starters.map(async (starter) => starter.end()))
  })
})

describe('a starter that is killed', () => {
  const calls = ['write', 'fsync', '?link,?linkat', '?rename,?renameat,?renameat2', '?unlink,?unlinkat']

  it.skipIf(!hasStrace).each(calls)(`at every k-th %s never closes the lock to the next one${straceReason}`, (call) => {
    const directory = scratch()
    const program = bundleProgram('lock-cycle', directory)
    for (let k = 1, killed = true; killed; k++) {
      const path = join(directory, String(k), 'lock')
      mkdirSync(join(directory, String(k)), 0o700)
      writeCrashedTakeovers(path, 1)
      const ran = runWithFault(program, [path], { calls: call, what: 'signal=KILL', when: String(k) })
      killed = ran.killed
      if (!killed) expect(ran.stdout, ran.stderr).toBe('held\nreleased\n')
      expect(acquire(path).stillOurs()).toBe(true)
      expect(readdirSync(join(directory, String(k)))).toEqual(['lock'])
      expect(k).toBeLessThan(200)
    }
  })
})
