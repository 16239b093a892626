import { describe, expect, it } from 'vitest'
import type { StoryMove } from '../../../src/model/event.ts'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import type { TaskList } from '../../../src/model/story.ts'
import { defaults } from '../../../src/settings/defaults.ts'
import { wantedChecks } from '../../../src/workflows/wanted-checks.ts'
import { recorded, runStarted } from '../../support/events.ts'
import { list, story } from '../../support/task-list.ts'

const state = recorded([runStarted]).reduce<RunState | null>(reduce, null) as RunState
const done = { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'n' } as const
const two = (last: Parameters<typeof story>[1] = {}): TaskList => ({
  ...list([story('A', { verifyCommands: ['test-a'] }), story('B', last)]),
  verifyCommands: ['test-all'],
})
const wanted = (to: StoryMove, tasks = two(), of = state, more = {}) =>
  wantedChecks({ story: 'A', to }, tasks, { ...defaults, ...more }, of).map(
    ({ command, decides }) => `${command}${decides ? ' decides' : ''}`,
  )

describe('wantedChecks', () => {
  it('only informs the reviewer when a story is submitted', () => {
    expect(wanted('needs_review')).toEqual(['test-a', 'test-all'])
  })

  it('lets the checks of the story decide its approval, and those of the list wait for the stories to come', () => {
    expect(wanted('approved')).toEqual(['test-a decides', 'test-all'])
  })

  it('lets the checks of the list decide when nothing else is open', () => {
    expect(wanted('approved', two(done))).toEqual(['test-a decides', 'test-all decides'])
  })

  it('lets a check of the list decide when it passed before: then this work broke it', () => {
    const passing = { ...state, stories: { ...state.stories, passedChecks: { 'test-all': true as const } } }
    expect(wanted('approved', two(), passing)).toEqual(['test-a decides', 'test-all decides'])
  })

  it('needs none for a rejection below the cap, and all of them at the cap', () => {
    expect(wanted('changes_requested')).toEqual([])
    expect(wanted('changes_requested', two(), state, { reviewCap: 0 })).toEqual(['test-a decides', 'test-all'])
  })

  it('adds the checks of the user, each command once', () => {
    const check = { command: 'lint', failAction: null, hint: null, timeoutMs: null }
    const checks = [check, { ...check, command: 'test-a' }]
    expect(wanted('needs_review', two(), state, { checks })).toEqual(['test-a', 'test-all', 'lint'])
  })
})
