import { describe, expect, it } from 'vitest'
import type { Story } from '../../../src/model/story.ts'
import { brokenInvariants } from '../../../src/tasks/invariants.ts'
import { list, stage, story } from '../../support/task-list.ts'

const broken = (...stories: Story[]) => brokenInvariants(list(stories), { skipReview: false }).map((p) => p.message)

describe('the seed’s check 2', () => {
  it.each([null, 'needs_review', 'changes_requested'] as const)(
    'passes with reviewStatus %s is not approved',
    (reviewStatus) => {
      expect(broken(story('A', { passes: true, reviewStatus, reviewFeedback: 'x' }))).toEqual([
        `Story A has passes=true but reviewStatus is '${reviewStatus}', not 'approved'. Only review iterations may approve stories. Set passes back to false or complete the review cycle.`,
      ])
    },
  )
  it('passes with approved is fine', () => expect(broken(story('A', stage.approved))).toEqual([]))
  it('approved without passes is out of sync', () => {
    expect(broken(story('A', { reviewStatus: 'approved' }))[0]).toContain('out of sync')
  })
  it('changes_requested needs feedback', () => {
    expect(broken(story('A', { reviewStatus: 'changes_requested' }))[0]).toContain('feedback is required')
  })
  it('is skipped without review', () => {
    const passed = list([story('A', stage.passed)])
    expect(brokenInvariants(passed, { skipReview: true })).toEqual([])
  })
  it('bounds reviewCount by the cap where there is no snapshot', () => {
    const tired = list([story('A', { ...stage.approved, reviewCount: 7 })])
    expect(brokenInvariants(tired, { skipReview: false, reviewCap: 5 })).toHaveLength(1)
    expect(brokenInvariants(tired, { skipReview: false, reviewCap: 6 })).toEqual([])
  })
})

describe('who waits for whom', () => {
  it('names unknown stories', () => {
    expect(broken(story('A', { dependsOn: ['X'], splitInto: ['Y'] }))).toEqual([
      'Story A: dependsOn names X, which is not in the list.',
      'Story A: splitInto names Y, which is not in the list.',
    ])
  })
  it('finds a circle', () => {
    const circle = [
      story('A', { dependsOn: ['B'] }),
      story('B', { dependsOn: ['C'] }),
      story('C', { dependsOn: ['A'] }),
    ]
    expect(broken(...circle)).toEqual(['Stories A, B, C wait for each other through dependsOn or splitInto.'])
  })
  it('finds a part that waits for the story it came from', () => {
    expect(broken(story('A', { splitInto: ['P'] }), story('P', { dependsOn: ['A'] }))).toHaveLength(1)
  })
  it('a part has one parent', () => {
    expect(broken(story('A', { splitInto: ['P'] }), story('B', { splitInto: ['P'] }), story('P'))).toEqual([
      'Story B: splitInto names P, which is already a part of A.',
    ])
  })
  it('survives a chain of 20,000', () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => story(`S${n}`, { dependsOn: n === 0 ? [] : [`S${n - 1}`] }))
    expect(broken(...chain)).toEqual([])
  })
})
