import { describe, expect, it } from 'vitest'
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
  it('is submitted when all its parts are approved', () => {
    const before = list([story('A', { ...stage.rejected, splitInto: ['A1', 'A2'] }), ...parts])
    const { list: after, moved } = submitSplitStories(before, false)
    expect(moved).toEqual(['A'])
    expect(after.userStories[0]).toMatchObject({ reviewStatus: 'needs_review', reviewCount: 1, reviewFeedback: '' })
  })
  it('waits for the last of them', () => {
    const before = list([story('A', { splitInto: ['A1', 'A2'] }), parts[0] as never, story('A2', stage.submitted)])
    expect(submitSplitStories(before, false)).toEqual({ list: before, moved: [] })
  })
  it('is not submitted again, nor without review', () => {
    const before = list([story('A', { ...stage.approved, splitInto: ['A1'] }), ...parts])
    expect(submitSplitStories(before, false).moved).toEqual([])
    expect(submitSplitStories(list([story('A', { splitInto: ['A1'] }), ...parts]), true).moved).toEqual([])
  })
})

describe('checks that fail', () => {
  it('turn an approval into a request for changes with their output', () => {
    const after = rejectForChecks(list([story('A', stage.approved)]), 'A', 'npm test: 2 failed')
    expect(after.userStories[0]).toEqual(story('A', { ...stage.rejected, reviewFeedback: 'npm test: 2 failed' }))
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

it('a story that passed without review needs one when this run reviews', () => {
  const { list: after, moved } = requireReview(list([story('A', stage.passed), story('B', stage.approved), story('C')]))
  expect(moved).toEqual(['A'])
  expect(after.userStories[0]).toEqual(story('A', stage.submitted))
})
