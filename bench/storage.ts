import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { openJournal } from '../src/journal/open-journal.ts'
import { readJournal } from '../src/journal/read-journal.ts'
import { encodeRecord } from '../src/journal/record.ts'
import { thisHost } from '../src/store/host.ts'
import { acquireLock } from '../src/store/lock.ts'
import type { Event } from '../src/model/event.ts'
import { atMost, interleave, type Row } from './measure.ts'

const started: Event = {
  kind: 'run.started',
  bases: {},
  artefacts: [],
  runId: '20261101-120000-00c0ffee',
  workflow: 'stories',
  project: '/project',
  version: '0.1.0',
  options: {},
}
const finished: Event = {
  kind: 'agent.finished',
  iteration: 1,
  outcome: 'succeeded',
  exitCode: 0,
  signal: null,
  durationMs: 61_234,
  costUsd: 0.25,
  tokens: { input: 10, output: 2000, cacheRead: 30_000, cacheWrite: 400 },
  message: null,
  promised: false,
  retryAt: null,
}

/** The journal, the lock and the replay, each beside the bare system calls or the bare parser. */
export async function storage(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
  try {
    return [await append(directory), await lock(directory), await replay(directory)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function append(directory: string): Promise<Row> {
  const journal = openJournal(join(directory, 'journal.ndjson'), { clock: { now: Date.now, elapsed: () => 0 } })
  if (!journal.ok) throw new Error(JSON.stringify(journal.error))
  journal.value.append(started)
  const bare = openSync(join(directory, 'bare'), 'w')
  const line = encodeRecord(finished, 1000, new Date().toISOString())
  const records = 5
  const times = await interleave(200, {
    journal: () => {
      for (let n = 0; n < records; n++) if (!journal.value.append(finished).ok) throw new Error('append failed')
    },
    bare: () => {
      for (let n = 0; n < records; n++) {
        writeSync(bare, line)
        fsyncSync(bare)
      }
    },
  })
  journal.value.close()
  closeSync(bare)
  return atMost('append + fsync, 5 records', times.journal, times.bare, 1.3)
}

/** The floor is what any lock of this kind needs: a complete, synced file that is linked into place, and both names gone again. */
async function lock(directory: string): Promise<Row> {
  const path = join(directory, 'lock')
  const host = thisHost()
  const content = Buffer.alloc(250, 'x')
  const times = await interleave(200, {
    lock: () => {
      const got = acquireLock(path, host)
      if (!got.ok || !got.value.release().ok) throw new Error('lock failed')
    },
    bare: () => {
      const fd = openSync(`${path}.bare.draft`, 'wx')
      writeSync(fd, content)
      fsyncSync(fd)
      closeSync(fd)
      linkSync(`${path}.bare.draft`, `${path}.bare`)
      unlinkSync(`${path}.bare.draft`)
      unlinkSync(`${path}.bare`)
    },
  })
  return atMost('lock + release', times.lock, times.bare, 3)
}

/** 10,000 iterations of eight events; the floor splits the same bytes, sums them and parses each line, and knows nothing else. */
async function replay(directory: string): Promise<Row> {
  const path = join(directory, 'long.ndjson')
  const count = 80_000
  const at = new Date(0).toISOString()
  const lines = Array.from({ length: count }, (_, index) =>
    encodeRecord(index === 0 ? started : finished, index + 1, at),
  )
  const whole = Buffer.concat(lines)
  writeFileSync(path, whole)
  const times = await interleave(7, {
    replay: () => {
      const read = readJournal(path)
      if (!read.ok || read.value.seq !== count) throw new Error('replay failed')
    },
    bare: () => {
      for (let start = 0, end = whole.indexOf(10); end !== -1; start = end + 1, end = whole.indexOf(10, start)) {
        const line = whole.subarray(start, end)
        crc32(line)
        JSON.parse(line.toString('utf8'))
      }
    },
  })
  const speed = (ms: number): string => `${(statSync(path).size / 1e3 / ms).toFixed(0)} MB/s`
  const row = atMost('replay of 80,000 events', times.replay, times.bare, 5)
  return { ...row, measured: speed(times.replay), floor: speed(times.bare) }
}
