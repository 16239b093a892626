import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { lookAtProject } from '../../../src/journal/look-at-project.ts'
import { runPaths } from '../../../src/journal/project-state.ts'
import { createRun } from '../../../src/journal/runs.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock } from '../../../src/store/lock.ts'
import { newOwner } from '../../../src/store/lock-owner.ts'
import { iterationEvents, runStarted, runStopped } from '../../support/events.ts'
import { deadOwners, writeLock } from '../../support/stale-lock.ts'
import { valueOf, watchedProject, type WatchedProject } from '../../support/watched-project.ts'

const host = thisHost()
const clock = { now: () => Date.parse('2026-11-02T12:00:00Z'), elapsed: () => 0 }

let project: WatchedProject
beforeEach(() => {
  project = watchedProject()
})

const look = () => valueOf(lookAtProject(project.state, host))

describe('lookAtProject', () => {
  it('sees nothing where nothing ever ran', () => {
    expect(look()).toEqual({ phase: 'none', lock: { kind: 'free' }, runId: null, run: null })
  })

  it('calls a run running while its runner lives', () => {
    const lock = valueOf(acquireLock(project.state.lock, host))
    const { runId } = project.begin(runStarted, ...iterationEvents(1))
    expect(look()).toMatchObject({ phase: 'running', runId, run: { iteration: 1 } })
    lock.release()
  })

  it('calls it stopped as soon as that is recorded, whoever holds the lock', () => {
    const lock = valueOf(acquireLock(project.state.lock, host))
    const { runId } = project.begin(runStarted, runStopped)
    expect(look()).toMatchObject({ phase: 'stopped', lock: { kind: 'held' }, runId })
    lock.release()
    expect(look()).toMatchObject({ phase: 'stopped', lock: { kind: 'free' }, runId })
  })

  it.each(Object.entries(deadOwners))('calls it crashed when %s', (_, owner) => {
    project.begin(runStarted)
    writeLock(project.state.lock, owner())
    expect(look()).toMatchObject({ phase: 'crashed', lock: { kind: 'stale' } })
  })

  it('calls it crashed when nobody holds the lock', () => {
    project.begin(runStarted)
    expect(look()).toMatchObject({ phase: 'crashed', lock: { kind: 'free' } })
  })

  it('takes a run on another machine for running: nobody here can know', () => {
    project.begin(runStarted)
    writeLock(project.state.lock, { ...newOwner(host), bootId: 'b', host: 'elsewhere' })
    expect(look()).toMatchObject({ phase: 'running', lock: { kind: 'foreign' } })
  })

  it('passes over a start that died before its first record', () => {
    const { runId } = project.begin(runStarted, runStopped)
    const dead = valueOf(createRun(project.state, clock))
    expect(look()).toMatchObject({ phase: 'stopped', runId })
    writeFileSync(runPaths(project.state, dead).journal, '{"seq":1,"at"')
    expect(look()).toMatchObject({ phase: 'stopped', runId })
  })

  it('names the run that a living runner has just made', () => {
    project.begin(runStarted, runStopped)
    const lock = valueOf(acquireLock(project.state.lock, host))
    const fresh = valueOf(createRun(project.state, clock))
    expect(look()).toMatchObject({ phase: 'running', runId: fresh, run: null })
    lock.release()
  })

  it('does not look behind a damaged journal', () => {
    project.begin(runStarted, runStopped)
    const { paths } = project.begin(runStarted)
    writeFileSync(paths.journal, 'nonsense\n')
    expect(lookAtProject(project.state, host)).toMatchObject({
      ok: false,
      error: { reason: 'journal-damaged', path: paths.journal, line: 1 },
    })
  })

  it('does not take a journal that it may not read for none', () => {
    const runId = valueOf(createRun(project.state, clock))
    mkdirSync(runPaths(project.state, runId).journal)
    expect(lookAtProject(project.state, host)).toMatchObject({ ok: false, error: { reason: 'journal-damaged' } })
  })
})
