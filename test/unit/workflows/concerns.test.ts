import { describe, expect, it } from 'vitest'
import { PersistentMap } from '../../../src/base/persistent-map.ts'
import type { StoryMove } from '../../../src/model/event.ts'
import { reduce, type RunState } from '../../../src/model/run-state.ts'
import { concernsOf } from '../../../src/workflows/concerns.ts'
import { recorded, runStarted } from '../../support/events.ts'
import { list, story } from '../../support/task-list.ts'

const state = recorded([runStarted]).reduce<RunState | null>(reduce, null) as RunState
const approved = story('A', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'n' })
const checks = { commands: ['npm test'], isOfPeople: true }
const clean = { skipReview: false, checks, onlyStory: null }

describe('concernsOf', () => {
  it('has none about reviewed and checked stories', () => {
    expect(concernsOf(list([approved]), state, clean)).toEqual([])
  })

  it('names what was approved at the cap, by the journal', () => {
    const lastMove = new PersistentMap<StoryMove>().with('A', 'approved_at_cap')
    const of = { ...state, stories: { ...state.stories, lastMove } }
    expect(concernsOf(list([approved]), of, clean).join()).toContain('review cap was reached: A')
  })

  it('names what an earlier run approved at the cap, by the list', () => {
    const marked = { ...approved, reviewFeedback: '[AUTO-APPROVED AT CAP] hm' }
    expect(concernsOf(list([marked]), state, clean).join()).toContain('review cap was reached: A')
  })

  it('says when nothing was reviewed, or nothing was checked', () => {
    expect(concernsOf(list([approved]), state, { ...clean, skipReview: true }).join()).toContain('--skip-review')
    const none = { commands: [], isOfPeople: false }
    expect(concernsOf(list([approved]), state, { ...clean, checks: none }).join()).toContain('no check at all')
  })

  it('says when only agents wrote the checks', () => {
    const added = { commands: ['true'], isOfPeople: false }
    expect(concernsOf(list([approved]), state, { ...clean, checks: added }).join()).toContain('those that agents added')
  })

  it('is about one story and its parts where nothing else was asked for', () => {
    const marked = { ...approved, reviewFeedback: '[AUTO-APPROVED AT CAP] hm' }
    const stories = [
      { ...approved, splitInto: ['B'] },
      { ...marked, id: 'B' },
      { ...marked, id: 'C' },
    ]
    const [concern = ''] = concernsOf(list(stories), state, { ...clean, onlyStory: 'A' })
    expect(concern).toContain('reached: B.')
  })
})
