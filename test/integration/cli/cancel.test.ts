import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { cancel, cancelWithin } from '../../../src/cli/cancel.ts'
import { clearRequest, readRequest, requestStop } from '../../../src/journal/control-file.ts'
import { describeFailure, exitCodeFor } from '../../../src/model/describe-failure.ts'
import type { Event } from '../../../src/model/event.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock, type Lock } from '../../../src/store/lock.ts'
import { newOwner } from '../../../src/store/lock-owner.ts'
import { runStarted, runStopped } from '../../support/events.ts'
import { deadOwners, writeLock } from '../../support/stale-lock.ts'
import { until } from '../../support/until.ts'
import { valueOf, watchedProject, type Call, type WatchedProject } from '../../support/watched-project.ts'

const host = thisHost()

let project: WatchedProject
beforeEach(() => {
  project = watchedProject()
})

const hold = (): Lock => valueOf(acquireLock(project.state.lock, host))
const asked = (lock: Lock) => until('the request', () => readRequest(project.state.control, lock.nonce))

async function failureOf(call: Call) {
  const end = await call.end
  if (end.ok) throw new Error(`it ended with ${end.value}`)
  return { code: exitCodeFor(end.error), ...describeFailure(end.error) }
}

describe('ralph cancel', () => {
  it('stops the run, waits until it has stopped, and says how to go on', async () => {
    const lock = hold()
    const run = project.begin(runStarted)
    const call = project.call(cancel)
    expect(await asked(lock)).toBe('now')
    expect(call.lines).toEqual([])
    run.record(runStopped)
    lock.release()
    expect(await call.end).toEqual(ok(0))
    expect(call.remarks).toEqual([`Stopping process ${process.pid}.`])
    expect(call.lines).toEqual([
      `Process ${process.pid} has stopped.`,
      'Interrupted: the same run can go on where it was.',
      'Next: "ralph run" goes on where it was.',
    ])
  })

  it('can wait for the iteration', async () => {
    const lock = hold()
    project.begin(runStarted, runStopped)
    const call = project.call(cancel, { afterIteration: true })
    expect(await asked(lock)).toBe('after-iteration')
    expect(call.remarks).toEqual([
      `Process ${process.pid} stops when its iteration has ended. Waiting for that; Ctrl+C ends only the waiting.`,
    ])
    lock.release()
    expect(await call.end).toEqual(ok(0))
  })

  it('does not weaken what was asked before', async () => {
    const lock = hold()
    requestStop(project.state.control, lock.nonce, 'now')
    const call = project.call(cancel, { afterIteration: true })
    await until('the remark', () => call.remarks.length > 0)
    expect(readRequest(project.state.control, lock.nonce)).toBe('now')
    lock.release()
    await call.end
  })

  it('asks again when a runner that was starting has cleared the request', async () => {
    const lock = hold()
    const call = project.call(cancel)
    await asked(lock)
    clearRequest(project.state.control)
    await asked(lock)
    lock.release()
    expect(await call.end).toEqual(ok(0))
  })

  it('says when the run was done before it could be stopped', async () => {
    const lock = hold()
    const run = project.begin(runStarted)
    const call = project.call(cancel)
    await asked(lock)
    run.record({ ...runStopped, reason: 'complete', exitCode: 0 } as Event)
    lock.release()
    await call.end
    expect(call.lines[1]).toMatch(/^Complete: /)
  })

  it('does not wait for the next one', async () => {
    const lock = hold()
    const call = project.call(cancel)
    await asked(lock)
    lock.release()
    const next = hold()
    expect(await call.end).toEqual(ok(0))
    expect(readRequest(project.state.control, next.nonce)).toBeNull()
    next.release()
  })

  it('says that the runner died instead of stopping', async () => {
    const owner = writeLock(project.state.lock, newOwner(host))
    project.begin(runStarted)
    const call = project.call(cancel)
    await until('the request', () => readRequest(project.state.control, owner.nonce))
    writeLock(project.state.lock, { ...owner, startTime: '1' })
    expect(await call.end).toEqual(ok(0))
    expect(call.lines).toEqual([
      `Process ${process.pid} has died.`,
      'The last run has crashed.',
      'Next: "ralph run" resumes it: what its last iteration left is judged first.',
    ])
  })

  it('names the process that does not stop', async () => {
    const lock = hold()
    const call = project.call((input) => cancelWithin(100, input))
    expect(await failureOf(call)).toEqual({
      code: 3,
      what: `This project is in use: process ${process.pid} was asked to stop and has not done so within 0 s.`,
      fix: `Look again with "ralph status", or end it by hand: kill ${process.pid}`,
    })
    lock.release()
  })

  it('has nothing to do where nothing ran', async () => {
    const call = project.call(cancel)
    expect(await call.end).toEqual(ok(0))
    expect(call).toMatchObject({ lines: ['Nothing runs here.'], remarks: [] })
  })

  it.each(Object.entries(deadOwners))('says that the run crashed when %s', async (_, owner) => {
    project.begin(runStarted)
    writeLock(project.state.lock, owner())
    const before = readFileSync(project.state.lock)
    const call = project.call(cancel)
    expect(await call.end).toEqual(ok(0))
    expect(call.lines).toEqual([
      'Nothing runs here.',
      'The last run has crashed.',
      'Next: "ralph run" resumes it: what its last iteration left is judged first.',
    ])
    expect(readFileSync(project.state.lock).equals(before)).toBe(true)
  })

  it('says how the last run ended when nothing runs', async () => {
    project.begin(runStarted, runStopped)
    const call = project.call(cancel)
    await call.end
    expect(call.lines).toHaveLength(3)
  })

  it('refuses the lock of another machine, and one that it cannot read', async () => {
    writeLock(project.state.lock, { ...newOwner(host), bootId: 'b', host: 'elsewhere' })
    expect(await failureOf(project.call(cancel))).toMatchObject({
      code: 3,
      what: expect.stringContaining('"elsewhere"') as string,
    })
    writeFileSync(project.state.lock, 'nonsense')
    expect(await failureOf(project.call(cancel))).toMatchObject({ code: 3 })
  })

  it('refuses inside a loop', async () => {
    const lock = hold()
    project.env['RALPH_RUN_ID'] = '20261101-120000-00c0ffee'
    expect(await failureOf(project.call(cancel))).toMatchObject({ code: 2 })
    expect(readRequest(project.state.control, lock.nonce)).toBeNull()
    lock.release()
  })

  it('stops a run whose journal is damaged', async () => {
    const lock = hold()
    const { paths } = project.begin(runStarted)
    writeFileSync(paths.journal, 'nonsense\n')
    const call = project.call(cancel)
    await asked(lock)
    lock.release()
    expect(await call.end).toEqual(ok(0))
    expect(call.remarks.at(-1)).toBe('Its journal cannot be read: "ralph status" says why.')
  })

  it('says so when the request cannot be written', async () => {
    const lock = hold()
    // No file can take the place of a directory.
    mkdirSync(project.state.control)
    expect(await failureOf(project.call(cancel))).toMatchObject({ code: 3 })
    lock.release()
  })
})
