import { describe, expect, it } from 'vitest'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import { planStories } from '../../../src/workflows/plan-stories.ts'
import { recorded, runStarted } from '../../support/events.ts'
import { list, story } from '../../support/task-list.ts'

const state = recorded([runStarted]).reduce<RunState | null>(reduce, null) as RunState
const options = { skipReview: false, reviewCap: 5, story: null }
const failing = (times: number): RunState => ({
  ...state,
  stories: { ...state.stories, failedChecks: { 'npm test': times } },
})

describe('planStories', () => {
  it('iterates on what the list asks for', () => {
    expect(planStories(list([story('A', { reviewStatus: 'needs_review' })]), state, options)).toEqual({
      kind: 'iterate',
      mode: 'review',
      story: 'A',
    })
  })

  it('finishes when all is done', () => {
    const done = story('A', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'n' })
    expect(planStories(list([done]), state, options)).toEqual({ kind: 'finish' })
  })

  it('waits for a person with the reasons of each story', () => {
    const plan = planStories(list([story('A', { blocked: 'buy a key' })]), state, options)
    expect(plan).toMatchObject({ kind: 'stop', reason: 'waiting', details: ['A is blocked: buy a key'] })
  })

  it('stops at a story that was rejected at the cap, and fixes one that was not', () => {
    const rejected = (reviewCount: number) =>
      list([story('A', { reviewStatus: 'changes_requested', reviewFeedback: 'no', reviewCount })])
    expect(planStories(rejected(5), state, options)).toMatchObject({ kind: 'stop', reason: 'review_cap' })
    expect(planStories(rejected(4), state, options)).toMatchObject({ kind: 'iterate', mode: 'review-fix' })
    expect(planStories(rejected(5), state, { ...options, reviewCap: 6 })).toMatchObject({ mode: 'review-fix' })
  })

  it('asks a person about a check that failed three times in a row', () => {
    expect(planStories(list([story('A')]), failing(2), options)).toMatchObject({ kind: 'iterate' })
    expect(planStories(list([story('A')]), failing(3), options)).toMatchObject({ kind: 'stop', reason: 'waiting' })
  })

  it('says what is the matter with such a check, and where it can be read', () => {
    const ran = { command: 'npm test', exitCode: 1, log: '/state/checks/0003-npm_test.log', decides: true }
    const words = (cannotStart: boolean) =>
      planStories(list([story('A')]), { ...failing(3), checks: [{ ...ran, cannotStart }] }, options)
    expect(words(false)).toMatchObject({
      details: ['The check `npm test` failed three times; what it printed last is in /state/checks/0003-npm_test.log'],
    })
    expect(words(true)).toMatchObject({
      details: [expect.stringContaining('cannot start: its program is not there') as string],
    })
  })

  it('works on one story where only that one is wanted', () => {
    const plan = planStories(list([story('A'), story('B')]), state, { ...options, story: 'B' })
    expect(plan).toMatchObject({ kind: 'iterate', story: 'B' })
  })
})
