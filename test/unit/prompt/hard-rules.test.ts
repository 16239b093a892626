import { describe, expect, it } from 'vitest'
import { buildPrompt } from '../../../src/prompt/build-prompt.ts'
import type { PromptInput } from '../../../src/prompt/prompt-input.ts'
import { promptInput } from '../../support/prompt-input.ts'

const rules = (fields: Partial<PromptInput> = {}) => {
  const prompt = buildPrompt(promptInput(fields))
  return prompt.slice(prompt.indexOf('## Hard rules'))
}

describe('the hard rules', () => {
  it.each([
    ['implement', '`feat: [US-001] - TITLE`'],
    ['review', '`review: [US-001] - approved` or `review: [US-001] - changes requested`'],
    ['review-fix', '`fix: [US-001] - address review feedback`'],
  ] as const)('give the message of the commit in %s', (mode, message) => {
    expect(rules({ mode })).toContain(message)
  })

  it.each(['implement', 'review-fix'] as const)('forbid an approval in %s, and the promise', (mode) => {
    expect(rules({ mode })).toContain('Never set `passes: true` or `"approved"`')
    expect(rules({ mode })).toContain('do not print it')
  })

  it('let a run without review pass its stories, and promise', () => {
    const text = rules({ skipReview: true })
    expect(text).not.toContain('Never set `passes: true`')
    expect(text).not.toContain('reviewer')
    expect(text).toContain('if every story of the list has `passes: true` now, print `<promise>COMPLETE</promise>`')
  })

  it('name the files that nobody may change, where they are in this project', () => {
    const text = rules({ ralphDir: 'docs/loop' })
    for (const path of ['docs/loop/prd.md', 'docs/loop/prompt.md', '.ralph-active', '.mcp.json', 'protectedPaths']) {
      expect(text).toContain(path)
    }
  })

  it('keep a reviewer from everything but its verdict, and from what the author says', () => {
    const text = rules({ mode: 'review' })
    expect(text).toContain('If any other file differs when you exit, it is put back and an approval is void')
    expect(text).toContain('not `notes`, not `progress.txt`, not commit messages')
  })
})
