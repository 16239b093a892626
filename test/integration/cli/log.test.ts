import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { log } from '../../../src/cli/log.ts'
import { iterationFiles } from '../../../src/journal/iteration-files.ts'
import { createRun } from '../../../src/journal/runs.ts'
import { exitCodeFor } from '../../../src/model/describe-failure.ts'
import type { Event } from '../../../src/model/event.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock, type Lock } from '../../../src/store/lock.ts'
import { iterationEvents, runStarted, runStopped } from '../../support/events.ts'
import { until } from '../../support/until.ts'
import {
  valueOf,
  watchedProject,
  type Call,
  type WatchedProject,
  type WatchedRun,
} from '../../support/watched-project.ts'

const host = thisHost()
const later = { now: () => Date.parse('2026-11-05T12:00:00Z'), elapsed: () => 0 }

let project: WatchedProject
beforeEach(() => {
  project = watchedProject()
})

type Options = Record<string, string | true>

async function show(options: Options = {}) {
  const call = project.call(log, options)
  expect(await call.end).toEqual(ok(0))
  return call
}

async function refused(options: Options) {
  const call = project.call(log, options)
  const end = await call.end
  expect(call.lines).toEqual([])
  return end.ok ? null : exitCodeFor(end.error)
}

describe('ralph log', () => {
  it('tells one event a line with its time, and each day once', async () => {
    const run = project.begin(runStarted, ...iterationEvents(1).slice(0, 1))
    expect((await show()).lines).toEqual([
      '2026-11-01 (UTC)',
      `12:00:01  Run ${run.runId} started (stories, ralph 0.1.0)`,
      '12:00:02  Iteration 1: implement US-1 with claude',
    ])
  })

  it('says which day it is when that changes', async () => {
    const { paths, journal } = project.begin(runStarted)
    journal.close()
    const run = project.goOn(paths, '2026-11-02T00:00:00Z')
    run.append({ kind: 'run.resumed', flags: {} })
    run.append(runStopped)
    const { lines } = await show()
    expect(lines.filter((line) => line.endsWith('(UTC)'))).toEqual(['2026-11-01 (UTC)', '2026-11-02 (UTC)'])
    expect(lines[3]).toBe('00:00:00  Run resumed')
  })

  it('lets nothing of what an agent wrote act on the terminal', async () => {
    const [, finished] = iterationEvents(1)
    project.begin(runStarted, { ...finished, outcome: 'failed', message: 'oh\u{1b}[2J\nno\u{202e}' } as Event)
    for (const options of [{}, { json: true }] as const) {
      const { lines } = await show(options)
      expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(lines.at(-1)).toContain('oh')
    }
  })

  it('prints the events as they are for programs', async () => {
    project.begin(runStarted, ...iterationEvents(1), runStopped)
    const events = (await show({ json: true })).lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(events[9]).toEqual({ ...runStopped, seq: 10, at: '2026-11-01T12:00:10.000Z' })
  })

  it('tells of the last run, or of the one that is named', async () => {
    const first = project.begin(runStarted, runStopped)
    const second = project.begin(runStarted, runStopped)
    expect((await show()).lines[1]).toContain(second.runId)
    expect((await show({ run: first.runId })).lines[1]).toContain(first.runId)
  })

  it('passes over a start that recorded nothing', async () => {
    const { runId } = project.begin(runStarted, runStopped)
    const dead = valueOf(createRun(project.state, later))
    expect((await show()).lines[1]).toContain(runId)
    expect(await show({ run: dead })).toMatchObject({ lines: [], remarks: ['Nothing was recorded.'] })
  })

  it('says that nothing ran, where a program does not read it', async () => {
    expect(await show()).toMatchObject({ lines: [], remarks: ['No run has started here.'] })
    expect(await show({ prompt: '1' })).toMatchObject({ lines: [], remarks: ['No run has started here.'] })
  })

  it.each(['../../../etc', '..', '20261101-120000-00c0ffee/..', '20261101-120000-00c0ffee\n', '', '.', 'x'])(
    '63 run-id-traversal: refuses the run %j',
    async (run) => {
      mkdirSync(join(project.state.runs, '../escape'))
      writeFileSync(join(project.state.runs, '../escape/journal.ndjson'), '')
      expect(await refused({ run })).toBe(2)
      expect(await refused({ run, prompt: '1' })).toBe(2)
      expect(await refused({ run, follow: true })).toBe(2)
    },
  )

  it('refuses a run that is not there', async () => {
    expect(await refused({ run: '20261101-120000-00c0ffee' })).toBe(2)
  })

  it('tells what comes before the damage, then where that is', async () => {
    const { paths, journal } = project.begin(runStarted)
    journal.close()
    writeFileSync(paths.journal, 'nonsense\n', { flag: 'a' })
    const call = project.call(log)
    expect(await call.end).toMatchObject({ ok: false, error: { reason: 'journal-damaged', line: 2 } })
    expect(call.lines).toHaveLength(2)
  })
})

describe('ralph log --prompt', () => {
  let run: WatchedRun
  beforeEach(() => {
    run = project.begin(runStarted)
    mkdirSync(run.paths.iterations)
    for (const [iteration, start] of [[1], [2, 1], [2, 2], [2, 10]] as const) {
      const { prompt } = iterationFiles(run.paths, iteration, start)
      writeFileSync(prompt, `# Iteration ${iteration}, start ${start ?? 1}\n\u{1b}]0;title\u{7}\tText\n`)
    }
    writeFileSync(join(run.paths.iterations, '0003.ndjson'), '{}')
  })

  it('prints what the agent was told, safely', async () => {
    expect((await show({ prompt: '1' })).lines).toEqual(['# Iteration 1, start 1', '\\u{1b}]0;title\\u{7}\tText'])
  })

  it('prints the last of several starts, also from another run', async () => {
    project.begin(runStarted)
    expect((await show({ prompt: '2', run: run.runId })).lines[0]).toBe('# Iteration 2, start 10')
  })

  it.each(['0', '-1', '1.5', 'one', '0001', '', '99999999999999999999', '../1'])('refuses %j', async (prompt) => {
    expect(await refused({ prompt })).toBe(2)
  })

  it('names the iterations that have one', async () => {
    const call = project.call(log, { prompt: '3' })
    expect(await call.end).toMatchObject({ ok: false, error: { reason: 'usage', fix: 'It has 1 to 2.' } })
    rmSync(run.paths.iterations, { recursive: true })
    expect(await project.call(log, { prompt: '3' }).end).toMatchObject({
      ok: false,
      error: { fix: 'It has none at all.' },
    })
  })

  it('does not go with what is no text', async () => {
    expect(await refused({ prompt: '1', follow: true })).toBe(2)
    expect(await refused({ prompt: '1', json: true })).toBe(2)
  })

  it('refuses what is no file', async () => {
    const { prompt } = iterationFiles(run.paths, 4)
    mkdirSync(prompt)
    expect(await refused({ prompt: '4' })).toBe(2)
  })
})

describe('ralph log --follow', () => {
  const hold = (): Lock => valueOf(acquireLock(project.state.lock, host))
  const shows = (call: Call, words: string) => until(words, () => call.lines.some((line) => line.includes(words)))

  it('tells what comes until the run stops', async () => {
    const lock = hold()
    const run = project.begin(runStarted)
    const call = project.call(log, { follow: true })
    await shows(call, 'started')
    for (const iteration of [1, 2, 3]) {
      run.record(...iterationEvents(iteration))
      await shows(call, `Iteration ${iteration} finished`)
    }
    run.record(runStopped)
    expect(await call.end).toEqual(ok(0))
    expect(call.lines.filter((line) => line.includes('finished: '))).toHaveLength(3)
    expect(call.lines.at(-1)).toContain('interrupted')
    lock.release()
  })

  it('waits for the first run of a project', async () => {
    const call = project.call(log, { follow: true, json: true })
    await until('the remark', () => call.remarks.length > 0)
    const lock = hold()
    const run = project.begin()
    run.record({ ...runStarted, runId: run.runId } as Event)
    await shows(call, run.runId)
    run.record(runStopped)
    expect(await call.end).toEqual(ok(0))
    expect(call.lines).toHaveLength(2)
    lock.release()
  })

  it('goes over to the run that is just starting', async () => {
    project.begin(runStarted, runStopped)
    const lock = hold()
    const call = project.call(log, { follow: true })
    await shows(call, 'interrupted')
    const run = project.begin(runStarted, runStopped)
    await shows(call, run.runId)
    // That one had stopped before it was seen going on, too: only the lock can tell.
    lock.release()
    expect(await call.end).toEqual(ok(0))
  })

  it('ends at once when nothing goes on', async () => {
    project.begin(runStarted, runStopped)
    const call = await show({ follow: true })
    expect(call.lines).toHaveLength(3)
    expect(call.remarks).toEqual([])
  })

  it('ends when the runner is gone, and says what to do', async () => {
    const lock = hold()
    project.begin(runStarted)
    const call = project.call(log, { follow: true })
    await shows(call, 'started')
    lock.release()
    expect(await call.end).toEqual(ok(0))
    expect(call.remarks).toEqual([
      'The run has crashed. "ralph run" resumes it: what its last iteration left is judged first.',
    ])
  })

  it('ends for an earlier run that nobody will go on with', async () => {
    const first = project.begin(runStarted)
    const empty = valueOf(createRun(project.state, { ...later, now: () => Date.parse('2026-11-01T13:00:00Z') }))
    const lock = hold()
    project.begin(runStarted)
    for (const run of [first.runId, empty]) {
      expect((await show({ follow: true, run })).remarks[0]).toContain('The run has crashed.')
    }
    lock.release()
  })

  it('ends when nobody reads any more', async () => {
    const lock = hold()
    const run = project.begin(runStarted)
    let isClosed = false
    const call = project.call(log, { follow: true }, () => isClosed)
    await shows(call, 'started')
    isClosed = true
    run.record(...iterationEvents(1))
    expect(await call.end).toEqual(ok(0))
    lock.release()
  })

  it('stops at damage', async () => {
    const lock = hold()
    const run = project.begin(runStarted)
    const call = project.call(log, { follow: true })
    await shows(call, 'started')
    writeFileSync(run.paths.journal, 'nonsense\n', { flag: 'a' })
    expect(await call.end).toMatchObject({ ok: false, error: { reason: 'journal-damaged', line: 2 } })
    lock.release()
  })
})
