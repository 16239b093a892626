import { describe, expect, it } from 'vitest'
import { defaults } from '../../../src/settings/defaults.ts'
import { finalChecks } from '../../../src/workflows/final-checks.ts'
import { list, story } from '../../support/task-list.ts'

const user = { command: 'user', failAction: null, hint: null, timeoutMs: null }
const options = { ...defaults, checks: [user] }

describe('finalChecks', () => {
  it('are all there are: of the list, of every story, of the user', () => {
    const all = list([story('A', { verifyCommands: ['a'] }), story('B')], { verifyCommands: ['list'] })
    expect(finalChecks(all, all, options)).toEqual({ commands: ['list', 'a', 'user'], isOfPeople: true })
  })

  it('are of people if one of them was there before the first agent', () => {
    const start = list([story('A')], { verifyCommands: [] })
    const now = list([story('A', { verifyCommands: ['true'] })], { verifyCommands: [] })
    expect(finalChecks(now, start, defaults)).toEqual({ commands: ['true'], isOfPeople: false })
    expect(finalChecks(now, start, options).isOfPeople).toBe(true)
  })

  it('for one story are its own and those of its parts, where it began with some', () => {
    const a = story('A', { verifyCommands: ['a'], splitInto: ['A-1'] })
    const part = story('A-1', { verifyCommands: ['part'] })
    const all = list([a, part, story('B', { verifyCommands: ['b'] })], { verifyCommands: ['list'] })
    expect(finalChecks(all, all, { ...options, story: 'A' }).commands).toEqual(['a', 'part', 'user'])
  })

  it('for one story are those of the list too, where its own were added by an author', () => {
    const start = list([story('A'), story('B', { verifyCommands: ['b'] })], { verifyCommands: ['list'] })
    const now = list([story('A', { verifyCommands: ['true'] }), story('B', { verifyCommands: ['b'] })], {
      verifyCommands: ['list'],
    })
    expect(finalChecks(now, start, { ...options, story: 'A' }).commands).toEqual(['list', 'true', 'user'])
  })
})
