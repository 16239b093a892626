import { afterEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/model/event.ts'
import { heldCheck, HeldProject } from '../../support/held-project.ts'
import { eventsOf, moves, starts } from '../../support/loop-events.ts'
import { expectSound } from '../../support/sound-run.ts'
import { until } from '../../support/until.ts'

let lab: HeldProject
afterEach(() => lab.remove())

const kinds = (events: readonly Recorded[]): string[] => events.map(({ kind }) => kind)

/** An author who breaks a rule and does the work, and leaves a part of it uncommitted; honest from then on. */
const cheatAndWork = `
  if (stage.mode === 'implement' && stage.first('cheat')) {
    stage.write('ralph/prd.md', 'nothing is wanted')
    stage.honest()
    return stage.write('more.txt', 'left uncommitted')
  }
  stage.honest()`

/** Starts a run that dies where it is told, and says what it had recorded by then. */
async function runAndDie(): Promise<string[]> {
  const { signal } = await lab.start()
  expect(signal).toBe('SIGKILL')
  return kinds(lab.events())
}

async function resume(): Promise<readonly Recorded[]> {
  const before = lab.events()
  const { exitCode, events, stdout, stderr } = await lab.run()
  expect(exitCode, `${stdout}${stderr}`).toBe(0)
  expect(events.slice(0, before.length), 'nothing that was recorded is touched').toEqual(before)
  expect(events[before.length]?.kind).toBe('run.resumed')
  expectSound(lab, events)
  await lab.nobodyLeft()
  return events
}

describe('a runner that is killed', () => {
  it('before its first iteration goes on', async () => {
    lab = new HeldProject().play('stage.honest()')
    lab.killAt('isolation.chosen')
    expect(await runAndDie()).toEqual(['run.started', 'isolation.chosen'])
    expect(starts(await resume())).toEqual(['implement US-001', 'review US-001'])
  })

  it('after iteration.started takes the iteration for used and starts the next', async () => {
    lab = new HeldProject().play(`await stage.hold(); stage.honest()`)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    expect(kinds(lab.events())).toEqual(['run.started', 'isolation.chosen', 'iteration.started'])
    lab.letGo('agent')
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'implement US-001', 'review US-001'])
    expect(eventsOf(events, 'agent.finished').map(({ outcome }) => outcome)).toEqual([
      'interrupted',
      'succeeded',
      'succeeded',
    ])
  })

  it('during the agent keeps its legal work and commits what it had not', async () => {
    lab = new HeldProject().play(`
      if (!stage.first('half')) return stage.honest()
      stage.write('half.txt', 'half done')
      stage.approveAll()
      await stage.hold()`)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    await resume()
    expect(lab.git('show', 'HEAD:half.txt')).toBe('half done')
  })

  it('after agent.finished judges that iteration and no other', async () => {
    lab = new HeldProject().play(cheatAndWork)
    lab.killAt('agent.finished')
    expect((await runAndDie()).at(-1)).toBe('agent.finished')
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
    expect(eventsOf(events, 'verdict.given').map(({ ok }) => ok)).toEqual([false, true])
  })

  it('between verdict and repair repairs, and gives no second verdict', async () => {
    lab = new HeldProject().play(cheatAndWork)
    lab.killAt('verdict.given')
    expect((await runAndDie()).at(-1)).toBe('verdict.given')
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
    expect(lab.git('show', 'HEAD:more.txt')).toBe('left uncommitted')
  })

  it.each([
    ['writes the commit', 'commit-tree'],
    ['brings it to the branch', 'update-index -q --refresh'],
  ])('inside a commit of its own, when it %s, makes that commit once', async (_, command) => {
    lab = new HeldProject().play(cheatAndWork)
    lab.killAt('verdict.given', command)
    expect((await runAndDie()).at(-1)).toBe('verdict.given')
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
    const subjects = lab.git('log', '--author=Ralph', '--format=%s').trim().split('\n')
    expect(subjects.toSorted()).toEqual([...new Set(subjects)].toSorted())
    expect(lab.git('show', 'HEAD:more.txt')).toBe('left uncommitted')
    lab.git('fsck', '--strict')
  })

  it('after the repair was recorded goes on with the checks', async () => {
    lab = new HeldProject({ verifyCommands: [heldCheck] }).play(cheatAndWork)
    lab.holdChecks('implement')
    const run = lab.start()
    await lab.there('check')
    await lab.kill(run)
    expect(kinds(lab.events()).at(-1)).toBe('state.repaired')
    lab.freeChecks()
    expect(starts(await resume())).toEqual(['implement US-001', 'review US-001'])
  })

  it('during the checks of an approval runs them again, and the approval counts', async () => {
    lab = new HeldProject({ verifyCommands: [`echo changed > "$TRACKED"; echo x > "made-$RALPH_MODE"; ${heldCheck}`] })
    lab.play(`stage.honest()`).env['TRACKED'] = 'README.md'
    lab.holdChecks('review')
    const run = lab.start()
    await lab.there('check')
    await lab.kill(run)
    expect(kinds(lab.events()).at(-1)).toBe('verdict.given')
    lab.freeChecks()
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
    expect(lab.read('README.md')).toBe('a project\n')
    expect(lab.git('ls-files')).not.toContain('made-review')
  })

  it('during the last checks runs them again, and undoes what they did', async () => {
    lab = new HeldProject({ verifyCommands: [`echo changed > "$TRACKED"; ${heldCheck}`] })
    lab.play('stage.honest()').env['TRACKED'] = 'README.md'
    lab.holdChecks('end')
    const run = lab.start()
    await lab.there('check')
    await lab.kill(run)
    expect(kinds(lab.events()).at(-1)).toBe('completion.started')
    lab.freeChecks()
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
    expect(lab.read('README.md')).toBe('a project\n')
  })

  it('before the commit of a failed check writes its own move once', async () => {
    lab = new HeldProject({ verifyCommands: ['test -d work && test -e work/fixed'] }).play(`
      if (stage.mode === 'review-fix') stage.write('work/fixed', '')
      stage.honest()`)
    lab.killAt('stories.moved', 'commit-tree')
    expect((await runAndDie()).at(-1)).toBe('stories.moved')
    const events = await resume()
    expect(moves(events)).toEqual([
      'US-001 needs_review by agent',
      'US-001 changes_requested by runner',
      'US-001 needs_review by agent',
      'US-001 approved by agent',
    ])
    expect(lab.story('US-001').reviewCount).toBe(2)
  })

  it('while it waits for a usage limit waits for the rest of it', async () => {
    lab = new HeldProject().play(`
      if (!stage.first('limited')) return stage.honest()
      const resetsAt = Math.floor(Date.now() / 1000) + 1
      stage.print({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } })
      stage.print({ type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: 'You have hit your limit' })
      process.exit(1)`)
    const run = lab.start()
    await lab.recorded('wait.started')
    await lab.kill(run)
    const events = await resume()
    expect(starts(events)).toEqual(['implement US-001', 'implement US-001', 'review US-001'])
    const [, second] = eventsOf(events, 'iteration.started')
    const [limited] = eventsOf(events, 'agent.finished')
    expect(Date.parse(second?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(limited?.retryAt ?? ''))
  })
})

it('a git of the runner that outlives it is ended, before another writes beside it', async () => {
  lab = new HeldProject().play('stage.honest()')
  lab.killAndOutlive('agent.finished')
  await runAndDie()
  expect(lab.alive()).toEqual(['sleep 1000'])
  await resume()
})

describe('without a PID namespace', () => {
  it('the next run ends what the killed one left, before it judges', async () => {
    lab = new HeldProject().withoutNamespace().play(`
      if (!stage.first('daemon')) return stage.honest()
      stage.sh('setsid sh -c "while :; do echo x > late.txt; sleep 0.01; done" >/dev/null 2>&1 &')
      await stage.hold()`)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    expect(lab.alive().length).toBeGreaterThan(1)
    await resume()
  })

  it('a check that outlives the runner in the last checks is ended too', async () => {
    lab = new HeldProject({ verifyCommands: [heldCheck] }).withoutNamespace()
    lab.write('work/US-001.txt', 'done before')
    lab.write(
      'ralph/tasks.json',
      `${JSON.stringify({ ...lab.list(), userStories: [{ ...lab.story('US-001'), passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'done' }] }, null, 2)}\n`,
    )
    lab.commit('all done')
    lab.holdChecks('end')
    const run = lab.start()
    await lab.there('check')
    await lab.kill(run)
    const left = lab.alivePids()
    expect(left.length).toBeGreaterThan(0)
    const again = lab.start()
    await until('the first check is ended', () => !lab.alivePids().some((pid) => left.includes(pid)), 60_000)
    await lab.there('check')
    lab.freeChecks()
    expect((await again).exitCode).toBe(0)
    await lab.nobodyLeft()
  })
})
