import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openJournal, type Journal } from '../../../src/journal/open-journal.ts'
import { readJournal } from '../../../src/journal/read-journal.ts'
import { encodeRecord } from '../../../src/journal/record.ts'
import { maxRecordBytes } from '../../../src/journal/replay.ts'
import type { Event, Recorded } from '../../../src/model/event.ts'
import type { Failure } from '../../../src/model/failure.ts'
import { anyEvent } from '../../support/any-event.ts'
import { eventAt, iterationEvents, runEvents, runStarted, runStopped } from '../../support/events.ts'
import { stateAfter } from '../../support/journal-kills.ts'
import { scratch } from '../../support/scratch.ts'

let time = 0
const clock = { now: () => time++ * 1000, elapsed: () => 0 }

function open(path: string): Journal {
  const opened = openJournal(path, { clock })
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  return opened.value
}

/** Lines as a writer with a clock that stands still would write them. */
function lines(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    encodeRecord(eventAt(index + 1), index + 1, new Date(0).toISOString()),
  )
}

function damage(path: string): Extract<Failure, { reason: 'journal-damaged' }> {
  const before = readFileSync(path)
  const read = readJournal(path)
  const opened = openJournal(path, { clock })
  expect(opened).toEqual(read)
  expect(readFileSync(path).equals(before)).toBe(true)
  if (read.ok || read.error.reason !== 'journal-damaged') throw new Error(`not damaged: ${JSON.stringify(read)}`)
  return read.error
}

describe('a journal', () => {
  it('is made for its owner only, and records with number and time', () => {
    const path = join(scratch(), 'journal.ndjson')
    time = 0
    const journal = open(path)
    expect(journal.state).toBeNull()
    expect(journal.append(runStarted)).toEqual({
      ok: true,
      value: { ...runStarted, seq: 1, at: '1970-01-01T00:00:00.000Z' },
    })
    expect(journal.append(runStopped)).toMatchObject({ ok: true, value: { seq: 2, at: '1970-01-01T00:00:01.000Z' } })
    expect(journal.state?.stopped).toEqual({ details: [], reason: 'interrupted', exitCode: 130 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    journal.close()
  })

  it('gives the same state while it is written, when it is opened again and when it is only read', () => {
    const path = join(scratch(), 'journal.ndjson')
    const journal = open(path)
    const written = runEvents(3).map((event) => {
      const recorded = journal.append(event)
      return recorded.ok ? recorded.value : null
    })
    journal.close()
    const seen: Recorded[] = []
    const read = readJournal(path, (event) => seen.push(event))
    expect(seen).toEqual(written)
    expect(read).toEqual({
      ok: true,
      value: { state: journal.state, seq: written.length, goodBytes: statSync(path).size, tornBytes: 0 },
    })
    const again = open(path)
    expect(again.state).toEqual(journal.state)
    expect(again.append({ kind: 'run.resumed', flags: {} })).toMatchObject({
      ok: true,
      value: { seq: written.length + 1 },
    })
    again.close()
  })

  it('51 story-id-proto: keeps a story named __proto__ apart from every object', () => {
    const path = join(scratch(), 'journal.ndjson')
    const journal = open(path)
    for (const event of [runStarted, ...iterationEvents(1, '__proto__'), ...iterationEvents(2, 'constructor')])
      journal.append(event)
    journal.close()
    const read = readJournal(path)
    const moves = read.ok ? read.value.state?.stories.lastMove : null
    expect(moves?.entries().toSorted()).toEqual([
      ['__proto__', 'needs_review'],
      ['constructor', 'needs_review'],
    ])
  })

  it.each<[string, Event]>([
    ['a number that is none', { ...iterationEvents(1)[0], iteration: Number.NaN } as Event],
    ['a second start', runStarted],
    ['a kind that nobody knows', { kind: 'run.exploded' } as unknown as Event],
    ['a key that cannot be read again', { kind: 'run.resumed', flags: JSON.parse('{"__proto__":1}') }],
  ])('takes %s for a bug and writes nothing', (_, event) => {
    const path = join(scratch(), 'journal.ndjson')
    const journal = open(path)
    journal.append(runStarted)
    const before = readFileSync(path)
    expect(() => journal.append(event)).toThrow('cannot be journalled')
    expect(readFileSync(path)).toEqual(before)
    expect(journal.append(runStopped)).toMatchObject({ ok: true, value: { seq: 2 } })
    journal.close()
  })

  it('takes a first record that is not the start for a bug', () => {
    const journal = open(join(scratch(), 'journal.ndjson'))
    expect(() => journal.append(runStopped)).toThrow('begins with run.stopped')
    journal.close()
  })

  it('refuses a record that is too long to be read again, and goes on', () => {
    const journal = open(join(scratch(), 'journal.ndjson'))
    journal.append(runStarted)
    const long: Event = { kind: 'wait.started', reason: 'x'.repeat(maxRecordBytes), until: null }
    expect(journal.append(long)).toMatchObject({ ok: false, error: { reason: 'storage', code: 'EFBIG' } })
    expect(journal.append({ ...long, reason: 'x'.repeat(maxRecordBytes - 200) })).toMatchObject({ ok: true })
    journal.close()
    expect(open(join(scratch(), 'other.ndjson')).seq).toBe(0)
  })

  it('reads a line as long as the longest', () => {
    const path = join(scratch(), 'journal.ndjson')
    const journal = open(path)
    journal.append(runStarted)
    journal.append({ kind: 'wait.started', reason: 'x'.repeat(maxRecordBytes - 200), until: null })
    journal.append(runStopped)
    journal.close()
    expect(readJournal(path)).toMatchObject({ ok: true, value: { seq: 3, tornBytes: 0 } })
  })

  it.each<[string, (path: string) => void]>([
    ['appended to', (path) => writeFileSync(path, lines(2)[1] ?? '', { flag: 'a' })],
    ['cut', (path) => truncateSync(path, 10)],
    ['removed', (path) => rmSync(path)],
  ])('writes nothing more after somebody else has %s it', (_, change) => {
    const path = join(scratch(), 'journal.ndjson')
    const journal = open(path)
    journal.append(runStarted)
    change(path)
    expect(journal.append(runStopped)).toMatchObject({
      ok: false,
      error: { reason: 'journal-damaged', line: 2, why: 'somebody else changed the file' },
    })
    expect(journal.seq).toBe(1)
    journal.close()
  })

  it.each<[string, (path: string) => void, string]>([
    ['a link', (path) => symlinkSync('/etc/passwd', path), 'storage'],
    ['a directory', (path) => mkdirSync(path), 'storage'],
    ['a FIFO', (path) => void spawnSync('mkfifo', [path]), 'journal-damaged'],
  ])('is not opened where there is %s', (_, plant, reason) => {
    const path = join(scratch(), 'journal.ndjson')
    plant(path)
    expect(openJournal(path, { clock })).toMatchObject({ ok: false, error: { reason } })
    expect(readJournal(path).ok).toBe(false)
  })

  it('can be read on from where it was read before', () => {
    const path = join(scratch(), 'journal.ndjson')
    const journal = open(path)
    const events = runEvents(3)
    for (const event of events.slice(0, 10)) journal.append(event)
    const before = readJournal(path)
    if (!before.ok) throw new Error(before.error.reason)
    for (const event of events.slice(10)) journal.append(event)
    const seen: Recorded[] = []
    const after = readJournal(path, (event) => seen.push(event), before.value)
    expect(after).toEqual(readJournal(path))
    expect(seen.map(({ seq }) => seq)).toEqual(events.slice(10).map((_, index) => index + 11))
  })

  it('that is not there can be opened and cannot be read', () => {
    const path = join(scratch(), 'journal.ndjson')
    expect(readJournal(path)).toMatchObject({ ok: false, error: { reason: 'storage', code: 'ENOENT' } })
    open(path).close()
    expect(readJournal(path)).toMatchObject({ ok: true, value: { state: null, seq: 0 } })
  })
})

describe('what a crash leaves', () => {
  const recorded = lines(18)
  const whole = Buffer.concat(recorded)

  it('replays at every length, to the state of the complete lines', () => {
    const path = join(scratch(), 'journal.ndjson')
    const states = Array.from({ length: recorded.length + 1 }, (_, seq) => stateAfter(seq))
    for (let length = 0; length <= whole.length; length++) {
      const prefix = whole.subarray(0, length)
      writeFileSync(path, prefix)
      const goodBytes = prefix.lastIndexOf(0x0a) + 1
      const seq = prefix.toString('latin1').split('\n').length - 1
      const expected = { state: states[seq], seq, goodBytes, tornBytes: length - goodBytes }
      const read = readJournal(path)
      // The comparison of whole states only where one begins, else this takes a minute.
      if (length === goodBytes) expect(read).toEqual({ ok: true, value: expected })
      else if (!read.ok || read.value.seq !== seq || read.value.goodBytes !== goodBytes) expect(read).toEqual(expected)
    }
  })

  it('of any journal, cut anywhere, resumes to the state of the whole lines and then to that of an uncut one', () => {
    const path = join(scratch(), 'journal.ndjson')
    const record = (event: Event, seq: number): Buffer => encodeRecord(event, seq, new Date(0).toISOString())
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), fc.nat(), (tail, where) => {
        const events = [runStarted, ...tail]
        const all = Buffer.concat(events.map((event, index) => record(event, index + 1)))
        writeFileSync(path, all)
        const uncut = readJournal(path)
        writeFileSync(path, all.subarray(0, where % (all.length + 1)))
        const journal = openJournal(path, { clock: { now: () => 0, elapsed: () => 0 } })
        if (!journal.ok) throw new Error(JSON.stringify(journal.error))
        for (const event of events.slice(journal.value.seq)) journal.value.append(event)
        journal.value.close()
        expect(readFileSync(path).equals(all)).toBe(true)
        expect(journal.value.state).toEqual(uncut.ok && uncut.value.state)
      }),
      { numRuns: 60 },
    )
  })

  it('is cut off for good when the run goes on, at every length of the last record', () => {
    const path = join(scratch(), 'journal.ndjson')
    const before = whole.length - (recorded.at(-1)?.length ?? 0)
    for (let length = before + 1; length < whole.length; length += 7) {
      writeFileSync(path, whole.subarray(0, length))
      const journal = open(path)
      expect(journal).toMatchObject({ seq: 17, tornBytes: length - before })
      expect(journal.append(runStopped)).toMatchObject({ ok: true, value: { seq: 18 } })
      journal.close()
      expect(readJournal(path)).toMatchObject({ ok: true, value: { seq: 18, tornBytes: 0 } })
    }
  })

  it.each([
    ['zeros', Buffer.alloc(4096)],
    ['zeros after half a record', Buffer.concat([whole.subarray(0, 50), Buffer.alloc(4000)])],
    ['garbage', Buffer.from([1, 2, 3, 0xff])],
    ['more than one read', Buffer.alloc(1_000_000, 'x')],
  ])('is torn when it is %s without a line feed: a block that a power loss kept from the disk', (_, tail) => {
    const path = join(scratch(), 'journal.ndjson')
    writeFileSync(path, Buffer.concat([whole, tail]))
    expect(readJournal(path)).toMatchObject({ ok: true, value: { seq: 18, tornBytes: tail.length } })
    const journal = open(path)
    journal.append(runStopped)
    journal.close()
    expect(readJournal(path)).toMatchObject({ ok: true, value: { seq: 19, tornBytes: 0 } })
  })

  it('is never cut off by who only reads', () => {
    const path = join(scratch(), 'journal.ndjson')
    writeFileSync(path, whole.subarray(0, -1))
    readJournal(path)
    expect(readFileSync(path)).toEqual(whole.subarray(0, -1))
    expect(readdirSync(join(path, '..'))).toEqual(['journal.ndjson'])
  })
})

describe('damage', () => {
  const recorded = lines(10)
  const whole = Buffer.concat(recorded)
  const withLine = (index: number, line: Buffer | string): Buffer =>
    Buffer.concat(recorded.map((old, at) => (at === index ? Buffer.from(line) : old)))

  it('of any single byte before the last line feed is found and named by its line, and nothing is overwritten', () => {
    const path = join(scratch(), 'journal.ndjson')
    let line = 1
    for (let index = 0; index < whole.length - 1; index++) {
      const byte = whole[index] ?? 0
      for (const value of [byte ^ 1, 0x0a, 0x00]) {
        if (value === byte) continue
        const damaged = Buffer.from(whole)
        damaged[index] = value
        writeFileSync(path, damaged)
        const read = readJournal(path)
        const found = !read.ok && read.error.reason === 'journal-damaged' ? read.error.line : null
        // Damage to the line feed of the last line but one joins both to a last line that does not hold.
        if (found !== line) expect({ index, value, found }).toEqual({ index, value, found: line })
      }
      if (byte === 0x0a) line++
    }
  })

  it.each<[string, Buffer, number, string]>([
    ['a line that is missing', withLine(4, ''), 5, 'record 6 where 5 should be'],
    [
      'a line that is there twice',
      withLine(4, Buffer.concat([recorded[4] ?? Buffer.alloc(0), recorded[4] ?? Buffer.alloc(0)])),
      6,
      'record 5 where 6 should be',
    ],
    [
      'a line that was torn and written over',
      withLine(4, recorded[4]?.subarray(0, 30) ?? ''),
      5,
      'the checksum does not match',
    ],
    ['an empty line', withLine(4, '\n'), 5, 'the line is not a record'],
    ['zeros in the middle', withLine(4, Buffer.alloc(100)), 5, 'the checksum does not match'],
    ['a bad last line that is complete', withLine(9, '{"seq":10}\n'), 10, 'the line is not a record'],
    ['a beginning that is missing', whole.subarray(recorded[0]?.length), 1, 'record 2 where 1 should be'],
    [
      'a first record that is not the start',
      encodeRecord(runStopped, 1, new Date(0).toISOString()),
      1,
      'a journal that begins with run.stopped',
    ],
    [
      'a second start',
      Buffer.concat([whole, encodeRecord(runStarted, 11, new Date(0).toISOString())]),
      11,
      'a second run.started',
    ],
    ['a line without end', Buffer.concat([whole, Buffer.alloc(maxRecordBytes + 1, 'x')]), 11, 'the line is too long'],
  ])('by %s stops with file and line', (_, bytes, line, why) => {
    const path = join(scratch(), 'journal.ndjson')
    writeFileSync(path, bytes)
    expect(damage(path)).toEqual({ reason: 'journal-damaged', path, line, why })
  })
})

it('replays 10,000 iterations over 1,000 stories in linear time', () => {
  const path = join(scratch(), 'journal.ndjson')
  const timed = (iterations: number): number => {
    const events = [
      runStarted,
      ...Array.from({ length: iterations }, (_, index) => iterationEvents(index + 1, `US-${index % 1000}`)).flat(),
    ]
    writeFileSync(
      path,
      Buffer.concat(events.map((event, index) => encodeRecord(event, index + 1, new Date(0).toISOString()))),
    )
    const start = performance.now()
    expect(readJournal(path)).toMatchObject({
      ok: true,
      value: { seq: events.length, state: { iteration: iterations } },
    })
    return performance.now() - start
  }
  timed(1000)
  const small = timed(1000)
  const large = timed(10_000)
  // Ten times as much; a quadratic one would need a hundred times as long.
  expect(large).toBeLessThan(small * 40)
  expect(large).toBeLessThan(10_000)
})
