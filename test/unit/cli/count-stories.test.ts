import { expect, it } from 'vitest'
import { countStories } from '../../../src/cli/count-stories.ts'
import { stage, story } from '../../support/task-list.ts'

const stories = [
  story('A', stage.approved),
  story('B', stage.submitted),
  story('C', stage.rejected),
  story('D', { blocked: 'Needs a key' }),
  story('E', { ...stage.submitted, blocked: 'Needs a key' }),
  story('F'),
  story('G', stage.passed),
]

it('counts every story once', () => {
  const counts = countStories(stories, false)
  expect(counts).toEqual({ total: 7, approved: 1, needsReview: 1, changesRequested: 1, blocked: 2, open: 2 })
})

it('takes what passed for done where nothing is reviewed', () => {
  expect(countStories(stories, true)).toMatchObject({ approved: 2, open: 1 })
})

it('does not hold a block against what is done', () => {
  expect(countStories([story('A', { ...stage.approved, blocked: 'was' })], false)).toMatchObject({ approved: 1 })
})
