import { expect, it } from 'vitest'
import { archiveSummary } from '../../../src/cli/archive-summary.ts'
import { list, stage, story } from '../../support/task-list.ts'

const date = '2026-02-01'
const progress = '# Ralph Progress Log\nStarted: 2026-01-30\nPRD: x\n'

it('says how far the loop came, when, and what became of each story', () => {
  const stories = [
    story('A', { ...stage.approved, reviewCount: 2 }),
    story('B', stage.passed),
    story('C', stage.rejected),
    story('D', { blocked: 'Needs a key' }),
    story('E'),
  ]
  expect(archiveSummary({ list: list(stories), progress, date })).toBe(
    [
      '# Demo',
      '',
      '- Branch: ralph/demo',
      '- Dates: 2026-01-30 to 2026-02-01',
      '- Stories: 2 of 5 completed',
      '',
      '| story | title | state | reviews |',
      '|---|---|---|---|',
      '| A | Title of A | approved | 2 |',
      '| B | Title of B | passed without review | 0 |',
      '| C | Title of C | changes requested | 1 |',
      '| D | Title of D | blocked | 0 |',
      '| E | Title of E | open | 0 |',
      '',
    ].join('\n'),
  )
})

it('lets no title of an agent break its table or bring markup along', () => {
  const text = archiveSummary({ list: list([story('A', { title: 'a | b\n<img>[x](y)\u001b' })]), progress: '', date })
  expect(text).toContain('| A | a \\| b\\\\n\\<img\\>\\[x\\](y)\\\\u{1b} | open | 0 |')
  expect(text).toContain('- Dates: unknown to 2026-02-01')
})

it('says that a list could not be read', () => {
  expect(archiveSummary({ list: null, progress, date })).toContain('The task list could not be read.')
})
