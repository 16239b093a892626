import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { status } from '../../../src/cli/status.ts'
import { exitCodeFor } from '../../../src/model/describe-failure.ts'
import type { Event } from '../../../src/model/event.ts'
import { exitCodeOf, type StopReason } from '../../../src/model/stop-reason.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock } from '../../../src/store/lock.ts'
import { newOwner } from '../../../src/store/lock-owner.ts'
import { iterationEvents, runStarted, runStopped } from '../../support/events.ts'
import { deadPid, writeLock } from '../../support/stale-lock.ts'
import { list, stage, story } from '../../support/task-list.ts'
import { valueOf, watchedProject, type WatchedProject } from '../../support/watched-project.ts'

const host = thisHost()

let project: WatchedProject
beforeEach(() => {
  project = watchedProject()
})

async function look(options: Record<string, string | true> = {}) {
  const call = project.call(status, options)
  expect(await call.end).toEqual(ok(0))
  return call
}

async function json(options: Record<string, string | true> = {}): Promise<Record<string, unknown>> {
  const { lines, remarks } = await look({ ...options, json: true })
  expect(remarks).toEqual([])
  return JSON.parse(lines.join('\n')) as Record<string, unknown>
}

const stopped = (reason: StopReason): Event => ({ ...runStopped, reason, exitCode: exitCodeOf[reason] }) as Event
const failed = (iteration: number, error: string): Event[] => [
  ...iterationEvents(iteration).slice(0, 2),
  { kind: 'iteration.finished', iteration, changed: true, commits: [], error, counted: true },
]

describe('ralph status --json', () => {
  it('has every field of the contract where nothing ever ran', async () => {
    expect(Object.entries(await json())).toEqual([
      ['state', 'none'],
      ...[
        'runId',
        'pid',
        'workflow',
        'mode',
        'story',
        'iteration',
        'maxIterations',
        'startedAt',
        'lastIterationAt',
        'stories',
        'costUsd',
        'tokens',
        'errorCount',
        'consecutiveErrors',
        'lastError',
        'lastCommit',
        'idleIterations',
        'stopReason',
      ].map((name) => [name, null]),
    ])
  })

  it('tells all of a run that goes on', async () => {
    project.writeTasks(list([story('A', stage.approved), story('B', stage.submitted), story('C')]))
    const lock = valueOf(acquireLock(project.state.lock, host))
    const { runId } = project.begin(runStarted, ...iterationEvents(1), ...iterationEvents(2, 'US-7').slice(0, 1))
    expect(await json()).toEqual({
      state: 'running',
      runId,
      pid: process.pid,
      workflow: 'stories',
      mode: 'implement',
      story: 'US-7',
      iteration: 2,
      maxIterations: 15,
      startedAt: '2026-11-01T12:00:01.000Z',
      lastIterationAt: '2026-11-01T12:00:10.000Z',
      stories: { total: 3, approved: 1, needsReview: 1, changesRequested: 0, blocked: 0, open: 1 },
      costUsd: 0.25,
      tokens: { input: 10, output: 2000, cacheRead: 30_000, cacheWrite: 400 },
      errorCount: 0,
      consecutiveErrors: 0,
      lastError: null,
      lastCommit: 'd'.repeat(40),
      idleIterations: 0,
      stopReason: null,
    })
    lock.release()
  })

  it('tells how a run stopped, and of its last iteration', async () => {
    project.begin(runStarted, ...iterationEvents(1, 'US-7'), ...failed(2, 'no luck'), stopped('too_many_errors'))
    expect(await json()).toMatchObject({
      state: 'stopped',
      pid: null,
      mode: 'implement',
      story: 'US-2',
      errorCount: 1,
      consecutiveErrors: 1,
      lastError: 'no luck',
      stopReason: 'too_many_errors',
    })
  })

  it('calls a run crashed whose process is gone', async () => {
    project.begin(runStarted)
    writeLock(project.state.lock, { ...newOwner(host), pid: deadPid() })
    expect(await json()).toMatchObject({ state: 'crashed', pid: null, stopReason: null })
  })

  it('counts the stories where the run has them, or where it is told', async () => {
    mkdirSync(join(project.root, 'loop'))
    writeFileSync(join(project.root, 'loop/tasks.json'), JSON.stringify(list([story('A'), story('B')])))
    project.writeTasks(list([story('A')]))
    project.begin({ ...runStarted, options: { ralphDir: 'loop' } } as Event)
    expect(await json()).toMatchObject({ stories: { total: 2 } })
    expect(await json({ ralphDir: 'ralph' })).toMatchObject({ stories: { total: 1 } })
  })

  it.each([
    ['is no list', () => project.writeTasks('{')],
    ['is a link', () => symlinkSync('/etc/passwd', join(project.root, 'ralph/tasks.json'))],
    ['is not there', () => undefined],
  ])('knows no stories when tasks.json %s', async (_, write) => {
    write()
    project.begin(runStarted)
    expect(await json()).toMatchObject({ state: 'crashed', stories: null })
    expect((await look()).lines).toContain('Stories: the list cannot be read now; "ralph check" says why.')
  })

  it('counts no stories for a run that has none', async () => {
    project.writeTasks(list([story('A')]))
    project.begin({ ...runStarted, workflow: 'task' } as Event)
    expect(await json()).toMatchObject({ workflow: 'task', stories: null })
  })

  it('prints what an agent wrote without letting it act', async () => {
    project.begin(runStarted, ...failed(1, 'bad \u{9b}2J\u{202e}'))
    const { lines } = await look({ json: true })
    expect(lines.join('\n')).not.toMatch(/[\u{80}-\u{9f}\u{202e}]/u)
    expect(await json()).toMatchObject({ lastError: 'bad \u{9b}2J\u{202e}' })
  })
})

describe('ralph status', () => {
  it('says that nothing ran, and what to do', async () => {
    expect((await look()).lines).toEqual([
      'No run has started here.',
      'Next: "ralph run" starts one; "ralph init" makes what it needs.',
    ])
  })

  it('names the project above when there is nothing here', async () => {
    mkdirSync(join(project.root, '.git'))
    // A sandbox has left it.
    mkdirSync(join(project.root, 'src/.git'), { recursive: true })
    mkdirSync(join(project.root, 'src/deep'), { recursive: true })
    writeFileSync(join(project.root, '.git/HEAD'), 'ref: refs/heads/main\n')
    const hint = `This lies in ${project.root}: give --project-dir to look there.`
    expect((await look({ projectDir: 'src/deep' })).lines[1]).toBe(hint)
    expect((await look()).lines).not.toContain(hint)
  })

  it('says how far a run is', async () => {
    project.writeTasks(list([story('A', stage.approved), story('B', stage.rejected), story('C', { blocked: 'x' })]))
    const lock = valueOf(acquireLock(project.state.lock, host))
    const { runId } = project.begin(runStarted, ...failed(1, 'lost\u{1b}[2J'), ...iterationEvents(2, 'B').slice(0, 1))
    const { lines } = await look()
    expect(lines[0]).toMatch(/^Running: iteration 2, implement B, for /)
    expect(lines.slice(1)).toEqual([
      `Run ${runId}: 2 of 15 iterations, started 2026-11-01 12:00:01 UTC, process ${process.pid}`,
      'Stories: 1 of 3 approved, 1 to fix, 1 blocked',
      'Used: $0.25, 30.4k tokens in (30k cached), 2k out, 4.0 s',
      'Errors: 1 iteration, 1 in a row; the last: lost\\u{1b}[2J',
      'Next: "ralph log --follow" shows it as it goes; "ralph cancel" stops it.',
    ])
    lock.release()
  })

  it('says why a run stopped, as long as it has not been seen to', async () => {
    const details = ['A is blocked: needs a key\u{1b}[2J']
    project.writeTasks(list([story('A', { blocked: 'needs a key' })]))
    project.begin(runStarted, { ...stopped('waiting'), details } as Event)
    expect((await look()).lines.slice(0, 2)).toEqual([
      'Waiting for you: nothing can go on without a person.',
      '  - A is blocked: needs a key\\u{1b}[2J',
    ])
    expect((await look()).lines.at(-1)).toContain('"ralph story unblock" answers it')
    project.writeTasks(list([story('A')]))
    expect((await look()).lines.at(-1)).toBe('Next: When that is seen to, "ralph run" goes on.')
  })

  it('says after an archive that the next loop has to be written', async () => {
    project.writeTasks(list([story('A', { title: '' })]))
    project.begin(runStarted, stopped('complete'))
    const { lines } = await look()
    expect(lines).toContain('Stories: none is written yet.')
    expect(lines.at(-1)).toMatch(/^Next: Write the stories of the next loop/)
    expect(await json()).toMatchObject({ stories: null })
  })

  it('says what a run waits for', async () => {
    const lock = valueOf(acquireLock(project.state.lock, host))
    project.begin(runStarted, { kind: 'wait.started', reason: 'usage-limit', until: null })
    expect((await look()).lines[0]).toBe('Running: waiting for the usage limit to reset.')
    lock.release()
  })

  it('says that a crashed run is resumed', async () => {
    project.begin(runStarted, ...iterationEvents(1).slice(0, 1))
    const { lines } = await look()
    expect(lines[0]).toBe('Crashed: the run ended without a word in iteration 1.')
    expect(lines.at(-1)).toBe('Next: "ralph run" resumes it: what its last iteration left is judged first.')
  })

  it.each(Object.keys(exitCodeOf) as StopReason[])(
    'says in words that it stopped as %s, and what to do',
    async (reason) => {
      project.begin(runStarted, stopped(reason))
      const { lines } = await look()
      expect(lines[0]).toMatch(/\.$/)
      expect(lines.at(-1)).toMatch(/^Next: .*"ralph /)
    },
  )

  it('says who holds a project that has stopped', async () => {
    project.begin(runStarted, stopped('complete'))
    const lock = valueOf(acquireLock(project.state.lock, host))
    expect((await look()).lines).toContain(`Process ${process.pid} holds the project: it is starting or ending.`)
    lock.release()
  })

  it('says what it cannot know of another machine, or from a lock that it cannot read', async () => {
    project.begin(runStarted)
    const owner = writeLock(project.state.lock, { ...newOwner(host), bootId: 'b', host: 'else\u{1b}where' })
    expect((await look()).lines[1]).toBe(
      `Process ${owner.pid} on "else\\u{1b}where" holds it; from here nobody can see whether it is alive.`,
    )
    writeFileSync(project.state.lock, 'nonsense')
    expect((await look()).lines[1]).toBe('Its lock cannot be read: it is not a lock of this program.')
  })

  it('stops at a damaged journal, names file and line, and writes nothing', async () => {
    const { paths } = project.begin(runStarted, ...iterationEvents(1))
    writeFileSync(paths.journal, 'x'.repeat(100), { flag: 'r+' })
    const before = readdirSync(project.state.directory, { recursive: true })
    const call = project.call(status, { json: true })
    const end = await call.end
    expect(end).toMatchObject({ ok: false, error: { reason: 'journal-damaged', path: paths.journal, line: 1 } })
    expect(end.ok ? 0 : exitCodeFor(end.error)).toBe(3)
    expect(call.lines).toEqual([])
    expect(readdirSync(project.state.directory, { recursive: true })).toEqual(before)
  })
})
