import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildPrompt } from '../src/prompt/build-prompt.ts'
import { isUntouched } from '../src/tasks/is-untouched.ts'
import { readTasks } from '../src/tasks/read-tasks.ts'
import { promptInput, takeApart } from './support/prompt-input.ts'

const text = (name: string): string => readFileSync(join(import.meta.dirname, '../templates', name), 'utf8')

describe('templates/prompt.md', () => {
  const template = text('prompt.md')
  const modes = [
    ['implement', false],
    ['review', false],
    ['review-fix', false],
    ['implement', true],
  ] as const

  it.each(modes)('in %s (skip review: %s) leaves no marker, no placeholder and no gap', (mode, skipReview) => {
    const prompt = buildPrompt(promptInput({ template, mode, skipReview }))
    expect(prompt).not.toContain('\n\n\n')
    const { outside } = takeApart(prompt)
    expect(outside).not.toContain('<!--')
    expect(outside).not.toContain('-->')
    expect(outside).not.toContain('{{')
  })

  it.each(modes)('in %s (skip review: %s) has every part of the runner once', (mode, skipReview) => {
    const prompt = buildPrompt(promptInput({ template, mode, skipReview }))
    const titles = prompt.split('\n').filter((line) => /^##? /.test(line))
    expect(new Set(titles).size).toBe(titles.length)
    for (const title of ['# Ralph loop', '## The story', '## The other stories', '## The checks', '## Hard rules']) {
      expect(titles.filter((line) => line.startsWith(title))).toHaveLength(1)
    }
    expect(titles.at(-1)).toBe('## Hard rules')
  })

  it.each(modes)('in %s (skip review: %s) numbers its steps without a hole', (mode, skipReview) => {
    const prompt = buildPrompt(promptInput({ template, mode, skipReview }))
    const steps = [...prompt.matchAll(/^## Step (\d)/gm)].map((found) => Number(found[1]))
    expect(steps.length).toBeGreaterThanOrEqual(5)
    expect(steps).toEqual(steps.map((_, index) => index + 1))
  })

  it('sends no reviewer to the notes and the log of the author', () => {
    const prompt = buildPrompt(promptInput({ template, mode: 'review' }))
    expect(prompt).not.toMatch(/read[^.]*progress\.txt[^.]*Codebase Patterns/is)
    expect(prompt).toContain('leave them unread')
  })

  it('sends every author to what earlier iterations learned', () => {
    for (const mode of ['implement', 'review-fix'] as const) {
      const prompt = buildPrompt(promptInput({ template, mode }))
      expect(prompt).toContain('`ralph/progress.txt`: all of "Codebase Patterns"')
      expect(prompt).toContain('`ralph/prd.md`')
    }
  })
})

describe('templates/tasks-template.json', () => {
  it('is the list of the plan, with nothing written into it yet', () => {
    const parsed = JSON.parse(text('tasks-template.json')) as { userStories: object[] }
    expect(Object.keys(parsed)).toEqual(['project', 'branchName', 'description', 'verifyCommands', 'userStories'])
    expect(isUntouched(parsed)).toBe(true)
  })

  it('is valid as soon as its story has a criterion', () => {
    const filled = text('tasks-template.json').replace('"acceptanceCriteria": []', '"acceptanceCriteria": ["It works"]')
    expect(readTasks(filled)).toMatchObject({ ok: true })
  })
})

describe('templates/prd-template.md', () => {
  it('has the sections of the plan, each with its tiers', () => {
    const sections = text('prd-template.md').split(/^## /m).slice(1)
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      '1. Summary',
      '2. Problem Statement',
      '3. Goals',
      '4. Non-Goals',
      '5. Background & Context',
      '6. Technical Design',
      '7. Constraints',
      '8. Edge Cases & Error Handling',
      '9. Risks & Mitigations',
      '10. Open Questions',
    ])
    for (const section of sections) expect(section).toMatch(/<!-- (?:Required|Recommended)[^>]*(?:all tiers|M and L)/)
  })
})

describe('templates/progress-template.md', () => {
  it('has what init fills in, and the line below which the log grows', () => {
    const template = text('progress-template.md')
    expect(template.match(/\{\{\w+\}\}/g)).toEqual(['{{DATE}}', '{{PROJECT_NAME}}'])
    expect(template).toContain('## Codebase Patterns')
    expect(template).toMatch(/\n---\n$/)
  })
})
