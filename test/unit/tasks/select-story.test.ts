import { describe, expect, it } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import { selectStory, type SelectOptions } from '../../../src/tasks/select-story.ts'
import { list, stage, story } from '../../support/task-list.ts'

const select = (stories: Story[], options: Partial<SelectOptions> = {}) => {
  const next = selectStory(list(stories), { skipReview: false, ...options })
  return next.kind === 'iterate' ? `${next.mode} ${next.story.id}` : next.kind === 'waiting' ? next.reasons : next.kind
}

describe('the mode', () => {
  it('is fix before review before implement', () => {
    const all = [story('A'), story('B', stage.submitted), story('C', stage.rejected)]
    expect(select(all)).toBe('review-fix C')
    expect(select(all.slice(0, 2))).toBe('review B')
    expect(select(all.slice(0, 1))).toBe('implement A')
    expect(select([story('A', stage.approved)])).toBe('done')
  })
  it('without review is always implement, until everything passes', () => {
    const all = [story('A', stage.submitted), story('B', { ...stage.rejected, priority: 0 }), story('C', stage.passed)]
    expect(select(all, { skipReview: true })).toBe('implement B')
    expect(select([story('C', stage.passed)], { skipReview: true })).toBe('done')
  })
})

describe('the story', () => {
  it('has the lowest priority, then comes first in the file', () => {
    expect(select([story('A', { priority: 2 }), story('B', { priority: 1 }), story('C', { priority: 1 })])).toBe(
      'implement B',
    )
    expect(select([story('A', { ...stage.rejected, priority: 2 }), story('B', stage.rejected)])).toBe('review-fix B')
  })
  it('waits for what it depends on', () => {
    const stories = [story('A', { dependsOn: ['B'] }), story('B', { priority: 9 })]
    expect(select(stories)).toBe('implement B')
    expect(select([stories[0] as Story, story('B', stage.approved)])).toBe('implement A')
  })
  it('is reviewed and fixed whatever it depends on', () => {
    expect(select([story('A', { ...stage.submitted, dependsOn: ['B'] }), story('B')])).toBe('review A')
  })
  it('is none that is blocked', () => {
    expect(select([story('A', { blocked: 'needs a key' }), story('B', { priority: 5 })])).toBe('implement B')
    expect(select([story('A', { ...stage.rejected, blocked: 'x' }), story('B', stage.submitted)])).toBe('review B')
    expect(select([story('A', { blocked: '  ' })])).toBe('implement A')
  })
  it('is none whose parts are open, and those do not count for the mode', () => {
    const parent = story('A', { ...stage.rejected, splitInto: ['A1', 'A2'] })
    expect(select([parent, story('A1', stage.approved), story('A2')])).toBe('implement A2')
    expect(select([parent, story('A1', stage.approved), story('A2', stage.approved)])).toBe('review-fix A')
  })
  it('a part waits for what the story it came from depends on', () => {
    const stories = [story('A', { splitInto: ['A1'], dependsOn: ['B'] }), story('A1'), story('B', { priority: 9 })]
    expect(select(stories)).toBe('implement B')
  })
  it('is only the one that was asked for, or a part of it', () => {
    const stories = [story('A'), story('B', { splitInto: ['B1'] }), story('B1'), story('C', stage.rejected)]
    expect(select(stories, { only: 'A' })).toBe('implement A')
    expect(select(stories, { only: 'B' })).toBe('implement B1')
    expect(select([story('A', stage.approved), story('B')], { only: 'A' })).toBe('done')
  })
})

describe('nothing selectable', () => {
  it('says why, story by story', () => {
    const stories = [
      story('A', { blocked: 'Needs the key\nof the mail service' }),
      story('B', { dependsOn: ['A'] }),
      story('C', { ...stage.submitted, dependsOn: ['B'] }),
      story('D', { splitInto: ['B'] }),
      story('E', stage.approved),
    ]
    expect(select(stories)).toEqual([
      'A is blocked: Needs the key\\nof the mail service',
      'B depends on A, which is blocked: Needs the key\\nof the mail service',
      'C depends on A, which is blocked: Needs the key\\nof the mail service',
      'D waits for its parts B',
    ])
  })
  it('says what the one that was asked for waits for', () => {
    expect(select([story('A', { dependsOn: ['B'] }), story('B')], { only: 'A' })).toEqual([
      'A depends on B, not done yet',
    ])
  })
  it('a story that is not in the list is not done', () => {
    expect(select([story('A', stage.approved)], { only: 'TYPO' })).toEqual(['TYPO is not in the list'])
  })
  it('a block reaches the parts of a story that depends on it', () => {
    const stories = [
      story('A', { blocked: 'x' }),
      story('B', { dependsOn: ['A'], splitInto: ['B1'] }),
      story('B1', { splitInto: ['B2'] }),
      story('B2', stage.submitted),
    ]
    expect(select(stories)).toEqual([
      'A is blocked: x',
      'B depends on A, which is blocked: x',
      'B1 depends on A, which is blocked: x',
      'B2 depends on A, which is blocked: x',
    ])
  })
  it('nor does it hold up anybody through a story that is done', () => {
    const stories = [
      story('A', { blocked: 'x' }),
      story('B', { ...stage.approved, dependsOn: ['A'] }),
      story('C', { dependsOn: ['B'] }),
    ]
    expect(select(stories)).toBe('implement C')
  })
  it('names ten of many', () => {
    const many = Array.from({ length: 12 }, (_, index) => story(`D${index}`))
    const [asked] = select([story('A', { dependsOn: many.map(({ id }) => id) }), ...many], { only: 'A' })
    expect(asked).toBe('A depends on D0, D1, D2, D3, D4, D5, D6, D7, D8, D9 and 2 more, not done yet')
  })
  it('a blocked story that is done holds nobody up', () => {
    expect(select([story('A', { ...stage.approved, blocked: 'x' }), story('B', { dependsOn: ['A'] })])).toBe(
      'implement B',
    )
  })
})
