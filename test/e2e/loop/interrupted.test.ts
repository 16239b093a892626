import { afterEach, describe, expect, it } from 'vitest'
import { heldCheck, HeldProject } from '../../support/held-project.ts'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { needsNamespace, probed, program } from '../../support/processes.ts'
import { expectSound } from '../../support/sound-run.ts'
import { until } from '../../support/until.ts'

let lab: HeldProject
afterEach(() => lab.remove())

const interrupted = { reason: 'interrupted', exitCode: 130 }

/** Half of the work, and then the agent waits; whoever comes later is honest. */
const half = `
  if (!stage.first('half')) return stage.honest()
  stage.write('half.txt', 'half done')
  await stage.hold()`

/** The same, with processes that are hard to end: sessions of their own, and two that TERM does not end. */
const hardToEnd = `
  if (!stage.first('half')) return stage.honest()
  const others = { session: '${program('sleeper')}', stubborn: '${program('ignores-term')}' }
  for (const [name, path] of Object.entries(others)) {
    stage.spawn('setsid', [path, '1', process.env.LAB, name], { stdio: 'ignore' })
    while (!stage.exists(process.env.LAB + '/' + name)) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  process.on('SIGTERM', () => stage.write(process.env.LAB + '/asked.there', ''))
  await stage.hold()`

async function completes(): Promise<void> {
  const { exitCode, events, stdout } = await lab.run()
  expect(exitCode, stdout).toBe(0)
  expectSound(lab, events)
}

describe('during the agent', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it, judges what it left and stops', async (signal) => {
    lab = new HeldProject().play(half)
    const run = lab.start()
    await lab.there('agent')
    run.kill(signal)
    const { exitCode, stdout } = await run
    expect(exitCode).toBe(130)
    expect(stdout).toContain('Stopping: the agent is ended, and what it left is judged. Ctrl+C again ends everything')
    expect(stdout).toContain('Interrupted')
    expect(lab.events().map(({ kind }) => kind)).toEqual([
      'run.started',
      'isolation.chosen',
      'iteration.started',
      'agent.finished',
      'verdict.given',
      'state.repaired',
      'stories.moved',
      'iteration.finished',
      'run.stopped',
    ])
    expect(eventsOf(lab.events(), 'agent.finished')).toMatchObject([{ outcome: 'interrupted' }])
    expect(stopOf(lab.events())).toEqual(interrupted)
    expect(lab.git('show', 'HEAD:half.txt')).toBe('half done')
    expect(lab.has('.ralph-active')).toBe(false)
    await lab.nobodyLeft()
    await completes()
  })

  /** From the signal to the last process. */
  async function endsInTime(): Promise<void> {
    const run = lab.play(hardToEnd).start()
    await lab.there('agent')
    expect(lab.alive().filter((args) => / (session|stubborn)$/.test(args))).toHaveLength(2)
    const signalled = performance.now()
    run.kill('SIGTERM')
    expect((await run).exitCode).toBe(130)
    await lab.nobodyLeft(8000 - (performance.now() - signalled))
    expect(stopOf(lab.events())).toEqual(interrupted)
    await completes()
  }

  it.runIf(probed.level === 'namespace')(`nobody is left after 8 seconds ${needsNamespace}`, async () => {
    lab = new HeldProject()
    await endsInTime()
  })

  it('nobody is left after 8 seconds without a PID namespace', async () => {
    lab = new HeldProject().withoutNamespace()
    await endsInTime()
  })

  it('the second Ctrl+C ends everything at once, and the next run judges what was left', async () => {
    lab = new HeldProject().play(hardToEnd)
    const run = lab.start()
    await lab.there('agent')
    run.kill('SIGINT')
    await lab.there('asked')
    const asked = performance.now()
    // Ralph gives its agents four seconds; one that comes right after the first is taken for an echo of it.
    await until('it is over', () => run.signalCode ?? (run.kill('SIGINT'), null))
    await lab.nobodyLeft()
    expect(performance.now() - asked).toBeLessThan(3900)
    expect((await run).signal).toBe('SIGINT')
    // It may see that the agent is gone before it is gone itself; it judges nothing any more.
    const last = lab.events().at(-1)
    expect(['iteration.started', 'agent.finished']).toContain(last?.kind)
    if (last?.kind === 'agent.finished') expect(last.outcome).toBe('interrupted')
    await completes()
  })
})

describe('a signal', () => {
  it('during the checks of an approval stops, and the next run decides', async () => {
    lab = new HeldProject({ verifyCommands: [heldCheck] }).play('stage.honest()')
    lab.holdChecks('review')
    const run = lab.start()
    await lab.there('check')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    await lab.nobodyLeft()
    expect(
      lab
        .events()
        .slice(-2)
        .map(({ kind }) => kind),
    ).toEqual(['verdict.given', 'run.stopped'])
    lab.freeChecks()
    await completes()
    expect(starts(lab.events())).toEqual(['implement US-001', 'review US-001'])
  })

  it('during the last checks stops, and the next run begins them anew', async () => {
    lab = new HeldProject({ verifyCommands: [heldCheck] }).play('stage.honest()')
    lab.holdChecks('end')
    const run = lab.start()
    await lab.there('check')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    lab.freeChecks()
    await completes()
    expect(starts(lab.events())).toEqual(['implement US-001', 'review US-001'])
  })

  it('during a wait stops at once, and the next run waits for the rest', async () => {
    lab = new HeldProject().play(`
      if (!stage.first('limited')) return stage.honest()
      stage.print({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: Math.floor(Date.now() / 1000) + 3 } })
      stage.print({ type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: 'You have hit your limit' })
      process.exit(1)`)
    const run = lab.start()
    await lab.recorded('wait.started')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    expect(eventsOf(lab.events(), 'wait.ended')).toEqual([])
    await completes()
  })

  it('between iterations stops, and no iteration is used up', async () => {
    lab = new HeldProject().play('stage.honest()')
    lab.interruptAt('iteration.finished')
    expect((await lab.start()).exitCode).toBe(130)
    expect(
      lab
        .events()
        .slice(-2)
        .map(({ kind }) => kind),
    ).toEqual(['iteration.finished', 'run.stopped'])
    await completes()
    expect(starts(lab.events())).toEqual(['implement US-001', 'review US-001'])
  })

  it.each(['agent.finished', 'verdict.given', 'isolation.chosen'] as const)(
    'right after %s stops in order',
    async (kind) => {
      lab = new HeldProject().play(`
      if (stage.first('cheat')) stage.write('ralph/prd.md', 'nothing is wanted')
      stage.honest()`)
      lab.interruptAt(kind)
      expect((await lab.start()).exitCode).toBe(130)
      expect(stopOf(lab.events())).toEqual(interrupted)
      expect(lab.read('ralph/prd.md')).toBe('# What is wanted\n')
      await completes()
    },
  )

  it('while the iteration of another run is judged starts no new one', async () => {
    lab = new HeldProject().play(half)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    lab.interruptAt('agent.finished')
    const { exitCode } = await lab.start(['--fresh'])
    expect(exitCode).toBe(130)
    expect(lab.runs()).toHaveLength(1)
    expect(lab.events().at(-2)?.kind).toBe('iteration.finished')
    await completes()
  })
})

it('two interruptions before an agent has done anything are not idleness', async () => {
  lab = new HeldProject().play('await stage.hold(); stage.honest()')
  for (const expected of [1, 2, 3]) {
    const run = lab.start()
    await lab.there('agent')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    expect(starts(lab.events())).toHaveLength(expected)
  }
  lab.letGo('agent')
  await completes()
})
