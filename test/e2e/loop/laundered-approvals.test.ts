import { afterEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/model/event.ts'
import { HeldProject } from '../../support/held-project.ts'
import { eventsOf, starts } from '../../support/loop-events.ts'
import { expectSound } from '../../support/sound-run.ts'

let lab: HeldProject
afterEach(() => lab.remove())

/** The first review approves without having looked, and ends as the test wants; the second one is honest. */
const firstReview = (end: string): string => `
  if (stage.mode !== 'review' || !stage.first('launder')) return stage.honest()
  stage.edit((_, one) => Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: one.reviewCount + 1 }))
  stage.commit()
  ${end}`

/** Nobody has accepted the approval of that iteration, and a second review was asked for. */
function expectReset(events: readonly Recorded[], iteration: number): void {
  const accepted = eventsOf(events, 'stories.moved').filter((event) => event.iteration === iteration)
  expect(accepted.flatMap((event) => event.moves).filter(({ to }) => to === 'approved')).toEqual([])
  expect(lab.story('US-001')).toMatchObject({ reviewStatus: 'needs_review', passes: false, reviewCount: 0 })
  expect(JSON.parse(lab.git('show', 'HEAD:ralph/tasks.json'))).toEqual(lab.list())
}

const all = ['implement US-001', 'review US-001', 'review US-001']

describe('an approval is reset', () => {
  it('35 judge-interrupt-launders-approval: when the reviewer is interrupted', async () => {
    lab = new HeldProject().play(firstReview('await stage.hold()'))
    const run = lab.start()
    await lab.there('agent')
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    expectReset(lab.events(), 2)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toEqual(all)
    expectSound(lab, events)
  })

  it('36 judge-empty-answer-launders: when the reviewer has said nothing', async () => {
    lab = new HeldProject().play(firstReview(''))
    await lab.run(['-n', '2'])
    expectReset(lab.events(), 2)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toEqual(['review US-001'])
  })

  it('37 judge-rate-limit-launders: when the reviewer ran into a limit', async () => {
    lab = new HeldProject().play(
      firstReview(`
        stage.print({ type: 'result', subtype: 'success', is_error: true, api_error: 'usage_limit_reached', result: 'usage limit reached' })
        process.exit(1)`),
    )
    const { exitCode } = await lab.run(['--max-wait', '0'])
    expect(exitCode).toBe(3)
    expect(eventsOf(lab.events(), 'agent.finished').at(-1)?.outcome).toBe('usage-limit')
    expectReset(lab.events(), 2)
    const again = await lab.run()
    expect(again.exitCode).toBe(0)
    expect(starts(again.events)).toEqual(['review US-001'])
  })

  it('38 judge-fresh-launders: when a new run is wanted instead of the one that was killed', async () => {
    lab = new HeldProject().play(firstReview('await stage.hold()'))
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    const [first = ''] = lab.runs()
    const { exitCode, events, stdout } = await lab.run(['--fresh'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Iteration 2 was cut off in run ${first}`)
    expect(lab.runs()).toHaveLength(2)
    expect(
      lab
        .events(first)
        .slice(-6)
        .map(({ kind }) => kind),
    ).toEqual([
      'agent.finished',
      'verdict.given',
      'state.repaired',
      'stories.moved',
      'iteration.finished',
      'run.stopped',
    ])
    expect(starts(events)).toEqual(['review US-001'])
  })

  it('39 judge-kill9-mid-iteration-launders: when the runner is killed', async () => {
    lab = new HeldProject().play(firstReview('await stage.hold()'))
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toEqual(all)
    expectSound(lab, events)
  })

  it('when an author approves its own story and the runner is killed', async () => {
    lab = new HeldProject({ stories: 2 }).play(`
      if (!stage.first('launder')) return stage.honest()
      stage.approveAll()
      stage.commit()
      await stage.hold()`)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events).filter((start) => start.startsWith('review'))).toEqual(['review US-001', 'review US-002'])
    expectSound(lab, events)
  })
})
