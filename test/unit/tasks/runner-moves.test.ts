import { describe, expect, it } from 'vitest'
import type { Story, TaskList } from '../../../src/model/story.ts'
import { brokenInvariants } from '../../../src/tasks/invariants.ts'
import { readTasks, writeTasks } from '../../../src/tasks/read-tasks.ts'
import {
  afterRejection,
  approveAtCap,
  rejectForChecks,
  reopenForChecks,
  requireReview,
  submitSplitStories,
} from '../../../src/tasks/runner-moves.ts'
import { list, stage, story } from '../../support/task-list.ts'

describe('a split story', () => {
  const parts = [story('A1', stage.approved), story('A2', stage.approved)]
  const parent = (fields: Partial<Story>) => story('A', { ...fields, splitInto: ['A1', 'A2'] })
  const open = (fields: Partial<Story>) => list([parent(fields), story('A1', stage.approved), story('A2')])
  const submit = (before: TaskList | null, after: TaskList) => submitSplitStories(after, { skipReview: false, before })

  it('is submitted when all its parts are approved', () => {
    const { list: after, moved } = submit(open({}), list([parent({}), ...parts]))
    expect(moved).toEqual(['A'])
    expect(after.userStories[0]).toMatchObject({ reviewStatus: 'needs_review', reviewCount: 0, reviewFeedback: '' })
  })
  it('also when a person approved them between runs', () => {
    expect(submit(null, list([parent({}), ...parts])).moved).toEqual(['A'])
  })
  it('also when it was rejected before it was split', () => {
    const { list: after, moved } = submit(open(stage.rejected), list([parent(stage.rejected), ...parts]))
    expect(moved).toEqual(['A'])
    expect(after.userStories[0]).toMatchObject({ reviewStatus: 'needs_review', reviewCount: 1, reviewFeedback: '' })
  })
  it('is fixed, not submitted again, when the review after its parts rejected it', () => {
    const rejected = list([parent(stage.rejected), ...parts])
    expect(submit(list([parent(stage.submitted), ...parts]), rejected)).toEqual({ list: rejected, moved: [] })
    expect(submit(null, rejected)).toEqual({ list: rejected, moved: [] })
  })
  it('waits for the last of them', () => {
    expect(submit(null, open({}))).toEqual({ list: open({}), moved: [] })
  })
  it('is not submitted again, nor without review', () => {
    expect(submit(null, list([parent(stage.approved), ...parts])).moved).toEqual([])
    const done = list([parent({}), ...parts])
    expect(submitSplitStories(done, { skipReview: true, before: null }).moved).toEqual([])
  })
})

describe('checks that fail', () => {
  it('turn an approval into a request for changes with their output', () => {
    const after = rejectForChecks(list([story('A', stage.approved)]), 'A', 'npm test: 2 failed')
    expect(after.userStories[0]).toEqual(story('A', { ...stage.rejected, reviewFeedback: 'npm test: 2 failed' }))
  })
  it('also when they print nothing: a rejection always says something', () => {
    const after = rejectForChecks(list([story('A', stage.approved)]), 'A', ' \n')
    expect(brokenInvariants(after, { skipReview: false })).toEqual([])
  })
  it('open a story again where nothing is reviewed', () => {
    expect(reopenForChecks(list([story('A', stage.passed)]), 'A')).toEqual(list([story('A')]))
  })
})

describe('the review that reaches the cap', () => {
  const options = { reviewCap: 2, atReviewCap: 'approve', checksPass: true } as const
  const rejected = story('A', { ...stage.rejected, reviewCount: 2, notes: '' })
  it.each([
    [{ ...rejected, reviewCount: 1 }, options, 'fix'],
    [rejected, options, 'approve-at-cap'],
    [rejected, { ...options, checksPass: false }, 'review_cap'],
    [rejected, { ...options, atReviewCap: 'stop' as const }, 'review_cap'],
  ])('%#', (story, options, expected) => expect(afterRejection(story, options)).toBe(expected))

  it('approves with its concerns marked, and leaves a valid list', () => {
    const after = approveAtCap(list([rejected]), 'A')
    expect(after.userStories[0]).toMatchObject({
      passes: true,
      reviewStatus: 'approved',
      reviewFeedback: '[AUTO-APPROVED AT CAP] Handle the empty case.',
    })
    expect(readTasks(writeTasks(after)).ok).toBe(true)
    expect(approveAtCap(after, 'A')).toEqual(after)
  })
})

it('a story that passed without review needs one when this run reviews, wherever it was', () => {
  const passed = [stage.open, stage.submitted, { ...stage.rejected, reviewCount: 0 }].map((fields, index) =>
    story(`P${index}`, { ...fields, ...stage.passed }),
  )
  const { list: after, moved } = requireReview(list([...passed, story('B', stage.approved), story('C')]))
  expect(moved).toEqual(['P0', 'P1', 'P2'])
  expect(after.userStories.slice(0, 3)).toEqual(moved.map((id) => story(id, stage.submitted)))
  expect(after.userStories.slice(3)).toEqual([story('B', stage.approved), story('C')])
})
