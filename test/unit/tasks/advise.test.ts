import { describe, expect, it } from 'vitest'
import { advise, isUntouched } from '../../../src/tasks/advise.ts'
import { list, story } from '../../support/task-list.ts'

describe('a list', () => {
  it('is the template until somebody writes a title', () => {
    expect(isUntouched(list([story('A', { title: '' })]))).toBe(true)
    expect(isUntouched(list([story('A', { title: '' }), story('B')]))).toBe(false)
    expect(isUntouched({ userStories: [null, 7] })).toBe(false)
  })

  it('without checks at the end is worse than it could be', () => {
    const checked = story('A', { verifyCommands: ['npm test'] })
    expect(advise(list([story('A')]))).toEqual([])
    expect(advise(list([story('A')], { verifyCommands: [] }))[0]).toContain('no check at all')
    expect(advise(list([checked], { verifyCommands: [] }))[0]).toContain('Nothing is checked at the end')
  })
})
