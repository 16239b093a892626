import { expect, it } from 'vitest'
import { judge } from '../../../src/tasks/judge.ts'
import { edit, list, referee, rules, seen, stage, story } from '../../support/task-list.ts'

const commands = (count: number): string[] => Array.from({ length: count }, (_, index) => `true ${index}`)
const before = list([story('A'), story('B', { verifyCommands: ['make b'] })])

it('an iteration may add fifty commands', () => {
  const now = { ...edit(before, 'A', { verifyCommands: commands(30) }), verifyCommands: ['npm test', ...commands(20)] }
  expect(referee(before, now, 'implement')).toMatchObject({ broken: [], list: now })
})

it.each([
  ['to the list', { ...before, verifyCommands: ['npm test', ...commands(51)] }],
  ['to a story', edit(before, 'B', { verifyCommands: ['make b', ...commands(51)] })],
  ['in new stories', list([...before.userStories, story('C', { verifyCommands: commands(51) })])],
])('adds it more, they go back and are kept: %s', (_, now) => {
  const result = referee(before, now, 'implement')
  expect(result.broken).toEqual(['verify-commands'])
  expect(result.list.verifyCommands).toEqual(['npm test'])
  expect(result.story('A')?.verifyCommands).toBeUndefined()
  expect(result.story('B')?.verifyCommands).toEqual(['make b'])
  expect(result.story('C')?.verifyCommands).toBeUndefined()
  expect(JSON.stringify(result.repaired.rejected)).toContain('true 10')
})

it('they count together, wherever they are', () => {
  const one = edit(before, 'A', { verifyCommands: commands(20) })
  const two = edit(one, 'B', { verifyCommands: ['make b', ...commands(20)] })
  const result = referee(before, { ...two, verifyCommands: ['npm test', ...commands(11)] }, 'implement')
  expect(result.broken).toEqual(['verify-commands'])
  expect(result.list.verifyCommands).toHaveLength(12)
  expect(result.story('A')?.verifyCommands).toHaveLength(20)
  expect(result.story('B')?.verifyCommands).toEqual(['make b'])
})

it('the rest of the work stays', () => {
  const now = edit(before, 'A', { ...stage.submitted, verifyCommands: commands(99) })
  const result = referee(before, now, 'implement')
  expect(result.broken).toEqual(['verify-commands'])
  expect(result.repaired.move).toEqual({ story: 'A', to: 'needs_review' })
})

it('a marker that does not know the commands counts none', () => {
  const { passes, reviewStatus, reviewCount } = story('A')
  const snapshot = { stories: new Map([['A', { passes, reviewStatus, reviewCount }]]), top: {}, list: null }
  const now = list([story('A', { verifyCommands: commands(99) })], { verifyCommands: commands(99) })
  expect(judge(snapshot, { tasks: seen(now) }, 'implement', rules()).illegal).toEqual([])
})
