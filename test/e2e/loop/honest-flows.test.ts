import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventsOf, moves, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, violationsIn } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

/** What the agent of an iteration was told. */
const promptOf = (iteration: number): string =>
  readFileSync(join(lab.runDirectory(), 'iterations', `${String(iteration).padStart(4, '0')}.prompt.md`), 'utf8')

describe('an honest agent', () => {
  it('completes twenty stories, each after what it depends on, in the order of their priorities', async () => {
    const stories = Array.from({ length: 20 }, (_, index) => ({
      priority: 20 - index,
      // The last two depend on the first ones, whatever their priorities say.
      dependsOn: index === 19 ? ['US-001'] : index === 18 ? ['US-020'] : [],
    }))
    lab = new LoopProject({ stories }).play('stage.honest()')
    const { exitCode, stdout, events } = await lab.run(['-n', '40'])
    expect(stdout).toContain('Iterations: at least 40 of at most 40.')
    expect(exitCode).toBe(0)
    expect(stopOf(events)).toEqual({ reason: 'complete', exitCode: 0 })
    const implemented = starts(events).filter((start) => start.startsWith('implement'))
    const order = [18, ...range(17, 1), 20, 19].map((n) => `implement US-${String(n).padStart(3, '0')}`)
    expect(implemented).toEqual(order)
    expect(starts(events)).toHaveLength(40)
    expect(violationsIn(events)).toEqual([])
    expect(lab.list().userStories.every(({ passes, reviewCount }) => passes && reviewCount === 1)).toBe(true)
    expect(lab.git('status', '--porcelain')).toBe('')
    expect(lab.git('branch', '--show-current').trim()).toBe('ralph/feature')
  })

  it('is told what a review wants, mends it and is reviewed again', async () => {
    lab = new LoopProject().play(`
      if (stage.mode === 'review' && stage.first('rejected')) stage.reject('The file lacks a greeting.')
      else stage.honest()`)
    const { exitCode, stdout, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001'])
    expect(moves(events)).toEqual([
      'US-001 needs_review by agent',
      'US-001 changes_requested by agent',
      'US-001 needs_review by agent',
      'US-001 approved by agent',
    ])
    expect(promptOf(3)).toContain('The file lacks a greeting.')
    expect(promptOf(4)).not.toContain('did it.')
    expect(lab.story('US-001')).toMatchObject({ reviewCount: 2, reviewFeedback: '', passes: true })
    expect(stdout).toMatch(/US-001.*2 reviews/)
  })

  it('splits a story, and a part again: parts are reviewed first, then what they came from', async () => {
    lab = new LoopProject({ stories: [{}, { dependsOn: ['US-001'] }] }).play(`
      const split = (...ids) => {
        stage.edit((list, one) => {
          one.splitInto = ids
          one.notes = 'Too much for one iteration.'
          for (const id of ids) list.userStories.push({ id, title: id, description: '', acceptanceCriteria: one.acceptanceCriteria,
            priority: 9, passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '', notes: '', dependsOn: one.dependsOn })
        })
        stage.commit()
      }
      if (stage.mode === 'implement' && stage.story === 'US-001') split('US-001a', 'US-001b')
      else if (stage.mode === 'implement' && stage.story === 'US-001a') split('US-001a1')
      else stage.honest()`)
    const { exitCode, stdout, events } = await lab.run()
    expect(stdout).not.toContain('put back')
    expect(starts(events)).toEqual([
      'implement US-001',
      'implement US-001a',
      'implement US-001b',
      'review US-001b',
      'implement US-001a1',
      'review US-001a1',
      'review US-001a',
      'review US-001',
      'implement US-002',
      'review US-002',
    ])
    expect(moves(events)).toContain('US-001 needs_review by runner')
    expect(exitCode).toBe(0)
    expect(violationsIn(events)).toEqual([])
  })

  it('blocks a story: the rest is done, then a person is waited for, and goes on when it is unblocked', async () => {
    lab = new LoopProject({ stories: [{}, { dependsOn: ['US-001'] }, {}] }).play(`
      if (stage.story === 'US-001' && stage.mode === 'implement' && stage.first('blocked')) {
        stage.edit((_, one) => Object.assign(one, { blocked: 'Needs the key of the payment service.', notes: 'No key.' }))
        stage.commit()
      } else stage.honest()`)
    const first = await lab.run()
    expect(starts(first.events)).toEqual(['implement US-001', 'implement US-003', 'review US-003'])
    expect(stopOf(first.events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(first.exitCode).toBe(4)
    expect(first.stdout).toContain('US-001 is blocked: Needs the key of the payment service.')
    expect(first.stdout).toContain('US-002 depends on US-001, which is blocked')

    const unblocked = await lab.command(['story', 'unblock', 'US-001', '--reason', 'the key is in the vault'])
    expect(unblocked.exitCode).toBe(0)
    const second = await lab.run()
    expect(second.exitCode).toBe(0)
    expect(starts(second.events)).toEqual(['implement US-001', 'review US-001', 'implement US-002', 'review US-002'])
  })

  it('reorders the list, adds a story and a check of its own, and leaves fields alone that nobody knows', async () => {
    lab = new LoopProject({ stories: [{}, { owner: 'Ada' }, {}] }).play(`
      if (stage.iteration === 1) stage.edit((list, one) => {
        list.userStories.reverse()
        list.userStories.find(({ id }) => id === 'US-003').priority = 0
        list.userStories.push({ ...one, id: 'US-100', title: 'More', priority: 50, acceptanceCriteria: ['more'] })
        one.verifyCommands = ['test -f work/US-001.txt']
      })
      stage.honest()`)
    const { exitCode, events } = await lab.run()
    expect(violationsIn(events)).toEqual([])
    expect(exitCode).toBe(0)
    expect(starts(events).filter((start) => start.startsWith('implement'))).toEqual(
      ['001', '003', '002', '100'].map((id) => `implement US-${id}`),
    )
    expect(lab.list().userStories.map(({ id }) => id)).toEqual(['US-003', 'US-002', 'US-001', 'US-100'])
    expect(lab.story('US-002')['owner']).toBe('Ada')
    expect(eventsOf(events, 'check.finished').map(({ command }) => command)).toContain('test -f work/US-001.txt')
  })

  it('that says too early that all is done is not believed, and not blamed', async () => {
    lab = new LoopProject().play('stage.honest()\nstage.promise()')
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(eventsOf(events, 'agent.finished').map(({ promised }) => promised)).toEqual([true, true])
  })

  it('is reviewed also where an earlier run had a higher cap', async () => {
    const late = { reviewStatus: 'needs_review', reviewCount: 7, notes: 'Did it.' } as const
    lab = new LoopProject({ stories: [late], files: { 'work/US-001.txt': 'x' } }).play('stage.honest()')
    const { exitCode, events } = await lab.run(['--review-cap', '2'])
    expect(violationsIn(events)).toEqual([])
    expect(starts(events)).toEqual(['review US-001'])
    expect(lab.story('US-001').reviewCount).toBe(8)
    expect(exitCode).toBe(0)
  })

  it('works on one story only with --story', async () => {
    lab = new LoopProject({ stories: 3 }).play('stage.honest()')
    const { exitCode, stdout, events } = await lab.run(['--story', 'US-002'])
    expect(stdout).toContain('of which only US-002 is wanted. Iterations: at least 2 of at most 15.')
    expect(stdout).toContain('That is the story that was asked for; others are open: 2.')
    expect(stdout).toContain('"ralph run" goes on with the stories that are open.')
    expect(starts(events)).toEqual(['implement US-002', 'review US-002'])
    expect(stopOf(events)).toMatchObject({ reason: 'complete' })
    expect(exitCode).toBe(0)
    expect(lab.story('US-001')).toMatchObject({ passes: false, reviewStatus: null })
  })
})

describe('without review', () => {
  const pass = `
    stage.write('work/' + stage.story + '.txt', 'x')
    stage.edit((_, one) => Object.assign(one, { passes: true, notes: 'Did it.' }))
    stage.commit()
    stage.say('Did it.')`

  it('it ends with concerns, and a later run with review reviews what passed', async () => {
    lab = new LoopProject({ stories: 2 }).play(pass)
    const first = await lab.run(['--skip-review', '--strict'])
    expect(starts(first.events)).toEqual(['implement US-001', 'implement US-002'])
    expect(stopOf(first.events)).toEqual({ reason: 'complete_with_concerns', exitCode: 4 })
    expect(first.exitCode).toBe(4)
    expect(first.stdout).toContain('Nothing was reviewed')

    const again = await lab.run(['--skip-review'])
    expect(again.exitCode).toBe(0)
    expect(starts(again.events)).toEqual([])

    lab.play('stage.honest()')
    const reviewed = await lab.run()
    expect(reviewed.stdout).toContain('Passed without a review, and reviewed first: US-001, US-002.')
    expect(starts(reviewed.events)).toEqual(['review US-001', 'review US-002'])
    expect(stopOf(reviewed.events)).toEqual({ reason: 'complete', exitCode: 0 })
  })

  it('a story whose checks fail is opened again, with their output in the next prompt', async () => {
    lab = new LoopProject({ verifyCommands: ['test -f work/US-001.txt || { echo "no file yet"; exit 1; }'] }).play(`
      if (!stage.first('lazy')) stage.write('work/US-001.txt', 'x')
      stage.edit((_, one) => Object.assign(one, { passes: true, notes: 'Did it.' }))
      stage.append('README.md', 'more')
      stage.commit()
      stage.say('Did it.')`)
    const { exitCode, events } = await lab.run(['--skip-review'])
    expect(moves(events)).toEqual(['US-001 reopened by runner', 'US-001 passed_unreviewed by agent'])
    expect(promptOf(2)).toContain('no file yet')
    expect(exitCode).toBe(0)
  })
})

describe('at the review cap', () => {
  const neverContent = `
    if (stage.mode === 'review') stage.reject('Not good enough: ' + stage.iteration)
    else stage.honest()`

  it('the runner approves with a mark where the checks pass, and says so at the end', async () => {
    lab = new LoopProject().play(neverContent)
    const { exitCode, stdout, events } = await lab.run(['--review-cap', '2'])
    expect(starts(events)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001'])
    expect(promptOf(4)).toContain('reaches the cap of 2')
    expect(stopOf(events)).toEqual({ reason: 'complete_with_concerns', exitCode: 0 })
    expect(exitCode).toBe(0)
    expect(lab.story('US-001').reviewFeedback).toBe('[AUTO-APPROVED AT CAP] Not good enough: 4')
    expect(stdout).toContain('Approved only because the review cap was reached: US-001.')
  })

  it('or stops, and a person decides: reopened it goes on, approved it is done', async () => {
    lab = new LoopProject().play(neverContent)
    const first = await lab.run(['--review-cap', '1', '--at-review-cap', 'stop'])
    expect(stopOf(first.events)).toEqual({ reason: 'review_cap', exitCode: 4 })
    expect(first.exitCode).toBe(4)
    expect(first.stdout).toContain('Not good enough: 2')
    const still = await lab.run(['--review-cap', '1', '--at-review-cap', 'stop'])
    expect(still.exitCode).toBe(4)
    expect(starts(still.events)).toEqual([])

    expect(await lab.command(['story', 'reopen', 'US-001', '--reason', 'try again'])).toMatchObject({ exitCode: 0 })
    const again = await lab.run(['--review-cap', '1', '--at-review-cap', 'stop'])
    expect(starts(again.events).length).toBeGreaterThan(0)
    expect(again.exitCode).toBe(4)

    expect(await lab.command(['story', 'approve', 'US-001', '--reason', 'I looked'])).toMatchObject({ exitCode: 0 })
    const done = await lab.run(['--review-cap', '1', '--at-review-cap', 'stop'])
    expect(starts(done.events)).toEqual([])
    expect(done.stdout).toContain('Approved by hand since the last run: US-001.')
    expect(done.exitCode).toBe(0)
  })
})

describe('when everything is done already', () => {
  const done = { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'Done.' } as const

  it('the checks are run, and no agent', async () => {
    lab = new LoopProject({ stories: [done], verifyCommands: ['test -f README.md'] }).play('stage.honest()')
    const { exitCode, events } = await lab.run()
    expect(starts(events)).toEqual([])
    expect(eventsOf(events, 'check.finished')).toHaveLength(1)
    expect(stopOf(events)).toEqual({ reason: 'complete', exitCode: 0 })
    expect(exitCode).toBe(0)
  })

  it('checks that fail are for a person to see to', async () => {
    lab = new LoopProject({ stories: [done], verifyCommands: ['test -f nothing'] }).play('stage.honest()')
    const { exitCode, stdout, events } = await lab.run()
    expect(starts(events)).toEqual([])
    expect(stopOf(events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(exitCode).toBe(4)
    expect(stdout).toContain('test -f nothing')
  })

  it('without any check that is no clean end', async () => {
    lab = new LoopProject({ stories: [done], verifyCommands: [] }).play('stage.honest()')
    const { stdout, events } = await lab.run()
    expect(stopOf(events)).toEqual({ reason: 'complete_with_concerns', exitCode: 0 })
    expect(stdout).toContain('There was no check at all')
  })
})

const range = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, index) => from - index)
