import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { thisHost } from '../../../src/store/host.ts'
import { newOwner } from '../../../src/store/lock-owner.ts'
import { diskPrint } from '../../support/disk-print.ts'
import { HeldProject } from '../../support/held-project.ts'
import { starts, stopOf } from '../../support/loop-events.ts'
import { expectSound } from '../../support/sound-run.ts'
import { writeLock } from '../../support/stale-lock.ts'
import { until } from '../../support/until.ts'

let lab: HeldProject
afterEach(() => lab.remove())

const held = `await stage.hold(); stage.honest()`
const lockPath = (): string => join(lab.state, readdirSync(lab.state)[0] ?? '', 'lock')
const interrupted = { reason: 'interrupted', exitCode: 130 }

describe('ralph cancel', () => {
  it('reaches a run that was suspended', async () => {
    lab = new HeldProject().play('await stage.hold()')
    const run = lab.start()
    await lab.there('agent')
    run.kill('SIGSTOP')
    expect((await lab.command(['cancel'])).exitCode).toBe(0)
    const { exitCode, stdout } = await run
    expect(exitCode).toBe(130)
    // Nobody has pressed Ctrl+C yet.
    expect(stdout).toMatch(/Stopping: the agent is ended, and what it left is judged\.$/m)
  })

  it('stops a run that is on, with its agent, and waits until the lock is free', async () => {
    lab = new HeldProject().play(held)
    const run = lab.start()
    await lab.there('agent')
    const cancel = await lab.command(['cancel'])
    expect(existsSync(lockPath())).toBe(false)
    expect(cancel.exitCode).toBe(0)
    expect(cancel.stdout).toContain(`Process ${run.pid} has stopped.`)
    expect((await run).exitCode).toBe(130)
    expect(stopOf(lab.events())).toEqual(interrupted)
    await lab.nobodyLeft()
    const again = await lab.command(['cancel'])
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining('Nothing runs here.')])
    lab.letGo('agent')
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expectSound(lab, events)
  })

  it('--after-iteration lets the agent finish, and stops then', async () => {
    lab = new HeldProject().play(held)
    const run = lab.start()
    await lab.there('agent')
    const cancel = lab.command(['cancel', '--after-iteration'])
    await until('it was asked', () => existsSync(join(lockPath(), '..', 'control')))
    lab.letGo('agent')
    expect((await cancel).exitCode).toBe(0)
    expect((await run).exitCode).toBe(130)
    expect(starts(lab.events())).toEqual(['implement US-001'])
    expect(lab.story('US-001').reviewStatus).toBe('needs_review')
    expect(stopOf(lab.events())).toEqual(interrupted)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
  })

  it('without patience overrules a patient one', async () => {
    lab = new HeldProject().play(held)
    const run = lab.start()
    await lab.there('agent')
    const patient = lab.command(['cancel', '--after-iteration'])
    await until('it was asked', () => existsSync(join(lockPath(), '..', 'control')))
    expect((await lab.command(['cancel'])).exitCode).toBe(0)
    expect((await patient).exitCode).toBe(0)
    expect((await run).exitCode).toBe(130)
    await lab.nobodyLeft()
  })
})

describe('of two starts in one directory', () => {
  it('one runs, and the other exits 3 and says who holds it', async () => {
    lab = new HeldProject().play(held)
    const run = lab.start()
    await lab.there('agent')
    const second = await lab.run()
    expect(second.exitCode).toBe(3)
    expect(second.stderr).toContain(`process ${run.pid} runs here`)
    expect(second.stderr).toContain('ralph cancel')
    expect(lab.runs()).toHaveLength(1)
    lab.letGo('agent')
    expect((await run).exitCode).toBe(0)
    expectSound(lab, lab.events())
  })

  it('at the same instant one runs and the other exits 3', async () => {
    lab = new HeldProject().play('stage.honest()')
    const codes = (await Promise.all([lab.start(), lab.start(), lab.start()])).map(({ exitCode }) => exitCode)
    expect(codes.map(String).toSorted()).toEqual(['0', '3', '3'])
    expect(lab.runs()).toHaveLength(1)
    expectSound(lab, lab.events())
  })

  it('of which one is on another machine, this one exits 3 and says where', async () => {
    lab = new HeldProject().play('stage.honest()')
    expect((await lab.run()).exitCode).toBe(0)
    writeLock(lockPath(), { ...newOwner(thisHost()), host: 'elsewhere', bootId: 'another', pid: 4711 })
    const before = diskPrint(lab.root)
    const { exitCode, stderr } = await lab.run()
    expect(exitCode).toBe(3)
    expect(stderr).toContain('process 4711 on "elsewhere"')
    expect(stderr).toContain(`remove ${lockPath()}`)
    expect(diskPrint(lab.root)).toEqual(before)
  })
})

describe('run --detach', () => {
  it('prints the id of the run and ends; status, log and cancel work on it', async () => {
    lab = new HeldProject().play(held)
    const started = await lab.command(['run', '--detach'])
    expect(started.exitCode).toBe(0)
    const [runId = ''] = lab.runs()
    expect(started.stdout).toBe(runId)
    await lab.there('agent')
    const status = JSON.parse((await lab.command(['status', '--json'])).stdout) as Record<string, unknown>
    expect(status).toMatchObject({ state: 'running', runId, iteration: 1, mode: 'implement', story: 'US-001' })
    const follow = lab.command(['log', '--follow'])
    const cancel = await lab.command(['cancel'])
    expect(cancel.exitCode).toBe(0)
    const followed = await follow
    expect(followed.stdout).toContain('Iteration 1: implement US-001')
    expect(followed.stdout).toContain('interrupted')
    expect(stopOf(lab.events())).toEqual(interrupted)
    await lab.nobodyLeft()
    const output = readFileSync(join(lab.runDirectory(runId), 'output.log'), 'utf8')
    expect(output).toContain('Iteration 1 of 15')
    expect(output).toContain('Interrupted')
  })

  it('goes on with a run, too, and keeps what the killed one has said', async () => {
    lab = new HeldProject().play(held)
    await lab.command(['run', '--detach'])
    await lab.there('agent')
    const [runId = ''] = lab.runs()
    const { pid } = JSON.parse((await lab.command(['status', '--json'])).stdout) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await lab.nobodyLeft(5000)
    lab.letGo('agent')
    const started = await lab.command(['run', '--detach'])
    expect(started.stdout).toBe(runId)
    await lab.nobodyLeft(60_000)
    expectSound(lab, lab.events())
    const said = (name: string): string => readFileSync(join(lab.runDirectory(runId), name), 'utf8')
    expect(said('output-1.log')).toContain('Iteration 1 of 15')
    expect(said('output.log')).toContain('Complete')
    expect(readdirSync(join(lockPath(), '..')).filter((name) => name.startsWith('output'))).toEqual([])
  })

  it('of a list that is wrong says why, exits with its code and changes nothing', async () => {
    lab = new HeldProject()
    lab.write('ralph/tasks.json', '{"project": "x"}')
    lab.commit('broken')
    const before = diskPrint(lab.root)
    const { exitCode, stdout, stderr } = await lab.command(['run', '--detach'])
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('userStories')
    expect(diskPrint(lab.root)).toEqual(before)
  })

  it('where somebody runs already says so and exits 3', async () => {
    lab = new HeldProject().play(held)
    const run = lab.start()
    await lab.there('agent')
    const second = await lab.command(['run', '--detach'])
    expect(second.exitCode).toBe(3)
    expect(second.stderr).toContain(`process ${run.pid} runs here`)
    await lab.kill(run)
  })
})
