import { expect, it } from 'vitest'
import { isUntouched } from '../../../src/tasks/is-untouched.ts'
import { list, story } from '../../support/task-list.ts'

it('takes a list for the template until somebody writes a title', () => {
  expect(isUntouched(list([story('A', { title: '' })]))).toBe(true)
  expect(isUntouched(list([story('A', { title: '' }), story('B')]))).toBe(false)
  expect(isUntouched({ userStories: [null, 7] })).toBe(false)
})
