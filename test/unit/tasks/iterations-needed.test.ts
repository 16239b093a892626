import { expect, it } from 'vitest'
import { iterationsNeeded } from '../../../src/tasks/iterations-needed.ts'
import { stage, story } from '../../support/task-list.ts'

it('counts what is left of each story where every review approves', () => {
  const stories = [story('A', stage.approved), story('B', stage.submitted), story('C', stage.rejected), story('D')]
  expect(iterationsNeeded(stories, false)).toBe(0 + 1 + 2 + 2)
  expect(iterationsNeeded(stories, true)).toBe(0 + 1 + 1 + 1)
})
