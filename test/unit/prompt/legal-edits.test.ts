import { describe, expect, it } from 'vitest'
import type { IterationMode, Story } from '../../../src/model/story.ts'
import { buildPrompt } from '../../../src/prompt/build-prompt.ts'
import type { PromptInput } from '../../../src/prompt/prompt-input.ts'
import { promptInput } from '../../support/prompt-input.ts'
import { edit, list, referee, stage, story } from '../../support/task-list.ts'

/** The table that a prompt has for tasks.json: of each field, the values in its columns. */
function tableOf(prompt: string): Map<string, string[]> {
  const rows = prompt.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((row) => {
      const [name = '', ...cells] = row.slice(2, -2).split(' | ')
      return [name.replaceAll('`', ''), cells]
    }),
  )
}

/** A literal at the end of a cell (`false` → `true`), or undefined where the cell is prose. */
function literal(cell: string | undefined): unknown {
  const found = /^(?:.*→ |stays )?`(.*)`(?:, or remarks)?$/.exec(cell ?? '')
  return found === null ? undefined : (JSON.parse(found[1] ?? '') as unknown)
}

/** What an agent does that follows one column to the letter. */
function follow(fields: Partial<PromptInput>, column: number, besides: Partial<Story> = {}) {
  const input = promptInput(fields)
  const edits: Partial<Story> = {}
  for (const [field, cells] of tableOf(buildPrompt(input))) {
    const value = literal(cells[column])
    if (value !== undefined) edits[field] = value as Story[string]
  }
  const after = edit(input.list, input.story.id, { ...edits, ...besides })
  const options = { story: input.story.id, skipReview: input.skipReview }
  return { edits, result: referee(input.list, after, input.mode, options) }
}

describe('the table of legal edits', () => {
  it.each([
    ['implement', false, 'needs_review', { reviewStatus: 'needs_review' }],
    ['review-fix', false, 'needs_review', { reviewStatus: 'needs_review', reviewFeedback: '' }],
    ['implement', true, 'passed_unreviewed', { passes: true }],
  ] as const)('in %s (skip review: %s) gives what the referee takes', (mode, skipReview, to, edits) => {
    const followed = follow({ mode, skipReview }, 1)
    expect(followed.edits).toEqual(edits)
    expect(followed.result.illegal).toEqual([])
    expect(followed.result.unfinished).toEqual([])
    expect(followed.result.repaired.move).toEqual({ story: 'US-001', to })
  })

  it.each([0, 1, 4, 7])('in a review after %i others gives an approval that the referee takes', (reviewCount) => {
    const ours = story('US-001', { ...stage.submitted, reviewCount })
    const { edits, result } = follow({ mode: 'review', story: ours }, 0)
    expect(edits).toMatchObject({ reviewStatus: 'approved', passes: true, reviewCount: reviewCount + 1 })
    expect(result.illegal).toEqual([])
    expect(result.repaired.move).toEqual({ story: 'US-001', to: 'approved' })
  })

  it('in a review gives a rejection that the referee takes, with feedback', () => {
    const { edits, result } = follow({ mode: 'review' }, 1, { reviewFeedback: '1. It does not add up.' })
    expect(edits).toEqual({ reviewStatus: 'changes_requested', passes: false, reviewCount: 1 })
    expect(result.illegal).toEqual([])
    expect(result.repaired.move).toEqual({ story: 'US-001', to: 'changes_requested' })
  })

  it('has the values of the story in it, none that an agent wrote', () => {
    const ours = story('US-001', { ...stage.rejected, reviewCount: 3, reviewFeedback: 'FEEDBACK' })
    const table = tableOf(buildPrompt(promptInput({ mode: 'review-fix', story: ours })))
    expect(table.get('reviewStatus')).toEqual(['`"changes_requested"`', '`"needs_review"`'])
    expect(table.get('reviewCount')?.[0]).toBe('`3`')
    expect([...table.values()].flat().join('')).not.toContain('FEEDBACK')
  })
})

describe('the ways out', () => {
  it.each(['implement', 'review-fix'] as const)('are named in %s', (mode) => {
    const prompt = buildPrompt(promptInput({ mode }))
    expect(prompt).toContain('set `splitInto` of US-001')
    expect(prompt).toContain('`blocked` of US-001')
    expect(prompt).toContain('at the end of `verifyCommands`')
  })

  it('are not a reviewer’s', () => {
    const prompt = buildPrompt(promptInput({ mode: 'review' }))
    expect(prompt).not.toContain('splitInto')
    expect(prompt).not.toContain('`blocked`')
    expect(prompt).not.toContain('at the end of `verifyCommands`')
  })

  it('do not offer a second split, which is illegal', () => {
    const ours = story('US-001', { ...stage.rejected, splitInto: ['US-002'] })
    expect(buildPrompt(promptInput({ mode: 'review-fix', story: ours }))).not.toContain('set `splitInto`')
  })

  it.each<[IterationMode, boolean]>([
    ['implement', false],
    ['review', false],
    ['review-fix', false],
    ['implement', true],
  ])('show a new story that the referee takes, in %s (skip review: %s)', (mode, skipReview) => {
    const input = promptInput({ mode, skipReview })
    const shown = /`(\{"id": "US-….*?\})`/.exec(buildPrompt(input))?.[1] ?? ''
    const born = JSON.parse(shown.replace('US-…', 'US-009')) as Story
    const { illegal, list: after } = referee(input.list, list([...input.list.userStories, born]), mode, {
      story: 'US-001',
      skipReview,
    })
    expect(illegal).toEqual([])
    expect(after.userStories.at(-1)).toEqual(born)
  })
})
