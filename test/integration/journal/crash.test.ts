import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { readJournal } from '../../../src/journal/read-journal.ts'
import { encodeRecord } from '../../../src/journal/record.ts'
import type { Event } from '../../../src/model/event.ts'
import { bundleProgram } from '../../support/bundle-program.ts'
import { eventAt, runStarted, runStopped } from '../../support/events.ts'
import { killWriters, lastAcknowledged, stateAfter } from '../../support/journal-kills.ts'
import { scratch } from '../../support/scratch.ts'
import { seededRandom } from '../../support/seed.ts'
import { hasStrace, runWithFault, straceReason, traceCalls } from '../../support/strace.ts'

const random = seededRandom()
const clock = { now: () => 0, elapsed: () => 0 }
const calls = ['pwrite64', 'fsync', 'ftruncate', 'openat']
const total = 7

/** Two good records and half of a third, so that opening has to repair. */
function tornJournal(path: string): void {
  const lines = [1, 2, 3].map((seq) => encodeRecord(eventAt(seq), seq, new Date(0).toISOString()))
  writeFileSync(path, Buffer.concat(lines).subarray(0, -40))
}

/** Everything acknowledged is there, at most one more is, and the run goes on. */
function expectIntact(path: string, stdout: string): void {
  const acknowledged = Math.max(2, lastAcknowledged(stdout))
  const read = readJournal(path)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.seq).toBeGreaterThanOrEqual(acknowledged)
  expect(read.value.seq).toBeLessThanOrEqual(acknowledged + 1)
  expect(read.value.state).toEqual(stateAfter(read.value.seq))
  const journal = openJournal(path, { clock })
  if (!journal.ok) throw new Error(JSON.stringify(journal.error))
  expect(journal.value.append(eventAt(read.value.seq + 1)).ok).toBe(true)
  journal.value.close()
  expect(readJournal(path)).toMatchObject({ ok: true, value: { seq: read.value.seq + 1, tornBytes: 0 } })
}

describe('a writer that is killed', () => {
  it.skipIf(!hasStrace).each(calls)(`at every k-th %s loses nothing acknowledged${straceReason}`, (call) => {
    const directory = scratch()
    const program = bundleProgram('journal-writer', directory)
    let kills = 0
    for (let k = 1, killed = true; killed; k++) {
      mkdirSync(join(directory, String(k)))
      const path = join(directory, String(k), 'journal.ndjson')
      tornJournal(path)
      const paths = [path, join(directory, String(k))]
      const ran = runWithFault(program, [path, String(total)], {
        calls: call,
        what: 'signal=KILL',
        when: String(k),
        paths,
      })
      killed = ran.killed
      kills += killed ? 1 : 0
      if (!killed) expect(lastAcknowledged(ran.stdout)).toBe(total)
      expectIntact(path, ran.stdout)
    }
    expect(kills).toBeGreaterThan(0)
  })

  it(`at 40 random moments loses nothing acknowledged (RALPH_SEED=${random.seed})`, async () => {
    const { records } = await killWriters(scratch(), 40, random)
    expect(records).toBeGreaterThan(40)
  })
})

// A kill does not lose what only the kernel has; a power loss does. So the order of the calls is what must hold.
it.skipIf(!hasStrace)(`every record is on the disk before it is acknowledged${straceReason}`, () => {
  const directory = scratch()
  const path = join(directory, 'journal.ndjson')
  const program = bundleProgram('journal-writer', directory)
  const traced = traceCalls(program, [path, '3'], 'pwrite64,write,fsync')
  const relevant = traced.filter(
    (call) => call.includes(path) || call === `fsync(${directory})` || call === 'write(stdout)',
  )
  const one = [`pwrite64(${path})`, `fsync(${path})`, 'write(stdout)']
  expect(relevant).toEqual([`fsync(${directory})`, ...one, ...one, ...one])
})

describe('a disk that refuses', () => {
  const errors = ['EIO', 'ENOSPC']

  it.skipIf(!hasStrace).each(errors)(
    `with %s once, at any write, fsync or truncation, costs nothing${straceReason}`,
    (error) => {
      const directory = scratch()
      const program = bundleProgram('journal-writer', directory)
      for (const call of ['pwrite64', 'fsync', 'ftruncate']) {
        for (let k = 1, refused = true; refused; k++) {
          mkdirSync(join(directory, `${call}-${k}`))
          const path = join(directory, `${call}-${k}`, 'journal.ndjson')
          tornJournal(path)
          const ran = runWithFault(program, [path, String(total)], {
            calls: call,
            what: `error=${error}`,
            when: String(k),
            paths: [path],
          })
          refused = ran.stdout.includes('!')
          expect(ran.status).toBe(0)
          // The same event again worked, unless the journal could not be opened at all.
          if (lastAcknowledged(ran.stdout) > 0) expect(lastAcknowledged(ran.stdout)).toBe(total)
          if (refused) expect(ran.stdout).toContain(`! ${error}\n`)
          expectIntact(path, ran.stdout)
        }
      }
    },
  )

  it.skipIf(!hasStrace).each(errors)(
    `with %s from some call on keeps all that was acknowledged, and the run goes on later${straceReason}`,
    (error) => {
      const directory = scratch()
      const program = bundleProgram('journal-writer', directory)
      for (const call of ['pwrite64', 'fsync', 'pwrite64,fsync,ftruncate']) {
        for (const k of [1, 2, 3, 4]) {
          mkdirSync(join(directory, `${call}-${k}`))
          const path = join(directory, `${call}-${k}`, 'journal.ndjson')
          tornJournal(path)
          const ran = runWithFault(program, [path, String(total)], {
            calls: call,
            what: `error=${error}`,
            when: `${k}+`,
            paths: [path],
          })
          expect(ran.stdout).toContain(`! ${error}\n`)
          expectIntact(path, ran.stdout)
        }
      }
    },
  )
})

const isRoot = process.getuid?.() === 0
const rootReason = isRoot ? '' : ' (skipped: mounting a small tmpfs needs root)'

describe('a disk that is full', () => {
  it.skipIf(!isRoot)(
    `keeps the journal as it was, says so, and takes the record when there is space again${rootReason}`,
    () => {
      const mount = scratch()
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'ralph-test', mount]).status).toBe(0)
      try {
        const path = join(mount, 'journal.ndjson')
        writeFileSync(join(mount, 'ballast'), Buffer.alloc(64 * 1024))
        const opened = openJournal(path, { clock })
        if (!opened.ok) throw new Error(JSON.stringify(opened.error))
        const journal = opened.value
        journal.append(runStarted)
        const long: Event = { kind: 'wait.started', reason: 'x'.repeat(9000), until: null }
        let written = journal.append(long)
        while (written.ok) written = journal.append(long)
        expect(written.error).toEqual({ reason: 'storage', doing: 'append to', path, code: 'ENOSPC' })
        const before = readFileSync(path)
        expect(journal.append(long).ok).toBe(false)
        expect(readFileSync(path)).toEqual(before)
        expect(readJournal(path)).toMatchObject({
          ok: true,
          value: { seq: journal.seq, tornBytes: 0, state: journal.state },
        })
        rmSync(join(mount, 'ballast'))
        expect(journal.append(long)).toMatchObject({ ok: true })
        expect(journal.append(runStopped)).toMatchObject({ ok: true })
        journal.close()
        expect(readJournal(path)).toMatchObject({ ok: true, value: { seq: journal.seq, tornBytes: 0 } })
      } finally {
        spawnSync('umount', ['--lazy', mount])
      }
    },
  )
})
