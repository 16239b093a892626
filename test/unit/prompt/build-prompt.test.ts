import { describe, expect, it } from 'vitest'
import { buildPrompt } from '../../../src/prompt/build-prompt.ts'
import type { PromptInput } from '../../../src/prompt/prompt-input.ts'
import { nonce, promptInput, reviewMaterial, takeApart } from '../../support/prompt-input.ts'
import { list, stage, story } from '../../support/task-list.ts'

const build = (fields: Partial<PromptInput> = {}) => buildPrompt(promptInput(fields))
const modes = ['implement', 'review', 'review-fix'] as const

/** All of them stand in the text, in this order. */
function expectOrder(text: string, ...wanted: string[]): void {
  const places = wanted.map((part) => ({ part, at: text.indexOf(part) }))
  expect(places.filter(({ at }) => at === -1)).toEqual([])
  expect(places.map(({ part }) => part)).toEqual(places.toSorted((a, b) => a.at - b.at).map(({ part }) => part))
}

const feedback = {
  iteration: 2,
  error: null,
  violations: [{ rule: 'frozen-field', story: 'US-001', message: 'title may not change' }],
  unfinished: [],
  failedChecks: [],
  falsePromise: false,
} as const

describe('the prompt', () => {
  it('begins with where the loop is, and what it is about', () => {
    const [first, , second] = build().split('\n')
    expect(first).toBe('# Ralph loop: iteration 3 of 15')
    expect(second).toContain('Mode: **implement**. Story: **US-001**. The runner chose both')
  })

  it('does not count iterations where the user does not want it', () => {
    expect(build({ includeIterationCount: false })).toMatch(/^# Ralph loop\n/)
  })

  it.each(modes)('in %s puts the data before the instructions, and the rules last', (mode) => {
    expectOrder(
      build({ mode, template: 'MY INSTRUCTIONS', feedback }),
      '# Ralph loop',
      '## What the runner found after iteration 2',
      '## The story: US-001',
      '## The other stories',
      '## The checks',
      'MY INSTRUCTIONS',
      '## What may change in `ralph/tasks.json`',
      '## Hard rules',
    )
  })

  it.each(modes)('in %s works without any template', (mode) => {
    const prompt = build({ mode })
    expect(prompt).toContain('<promise>COMPLETE</promise>')
    expect(prompt).toMatch(/Commit (?:everything|those two files by name) before you exit/)
    expect(prompt).toMatch(/`reviewStatus` \| /)
    expect(takeApart(prompt).blocks.map((block) => block.kind)).toContain('story')
  })

  it('names the promise with the tag of the user', () => {
    expect(build({ completionTag: 'FERTIG' })).toContain('`<promise>FERTIG</promise>`')
  })
})

describe('a template', () => {
  it('says where the parts stand, and what it leaves out is put around it', () => {
    const template = 'A\n{{checks}}\nB\n{{rules}}\nC\n{{header}}'
    expectOrder(
      build({ template, feedback }),
      '## What the runner found',
      '## The story',
      'A\n',
      '## The checks',
      'B\n',
      '## Hard rules',
      'C\n',
      '# Ralph loop',
    )
  })

  it('cannot have quoted text after the last rule: then the rules are said again', () => {
    const prompt = build({ mode: 'review', template: '{{rules}}\n{{review}}\n{{story}}' })
    expect(prompt.split('## Hard rules')).toHaveLength(3)
    expect(prompt.lastIndexOf('## Hard rules')).toBeGreaterThan(prompt.lastIndexOf(`<<END ${nonce}>>`))
  })

  it('that places everything gets nothing twice', () => {
    const template =
      '{{header}}\n{{feedback}}\n{{review}}\n{{story}}\n{{stories}}\n{{checks}}\nDO IT\n{{edits}}\n{{rules}}'
    const prompt = build({ template })
    for (const title of ['# Ralph loop', '## The story', '## The other', '## The checks', '## What may', '## Hard']) {
      expect(prompt.split(title)).toHaveLength(2)
    }
  })

  it('may use the words of the iteration', () => {
    const template = '{{iteration}}/{{maxIterations}} {{mode}} {{storyId}} {{ralphDir}} {{reviewCap}} {{promise}}'
    expect(build({ template })).toContain('3/15 implement US-001 ralph 5 <promise>COMPLETE</promise>')
  })

  it.each([
    ['implement', false, 'FOR IMPLEMENT'],
    ['review', false, 'FOR REVIEW'],
    ['review-fix', false, 'FOR FIX'],
    ['implement', true, 'FOR SKIP'],
  ] as const)('has parts for a mode: %s (skip review: %s)', (mode, skipReview, wanted) => {
    const parts = {
      implement: 'FOR IMPLEMENT',
      review: 'FOR REVIEW',
      'review-fix': 'FOR FIX',
      'skip-review': 'FOR SKIP',
    }
    const template = Object.entries(parts)
      .map(([name, text]) => `<!-- mode: ${name} -->\n${text}\n<!-- end -->`)
      .join('\n')
    const prompt = build({ template, mode, skipReview })
    expect(Object.values(parts).filter((text) => prompt.includes(text))).toEqual([wanted])
  })

  // P4: template variables in story text expanded twice.
  it('does not reach into what it quotes', () => {
    const ours = story('US-001', { title: '{{rules}} {{storyId}}', description: '<!-- mode: review -->\n{{edits}}' })
    const { blocks } = takeApart(build({ story: ours, template: '{{story}}\n{{rules}}' }))
    const text = blocks.find((block) => block.kind === 'story')?.text
    expect(text).toContain('title: {{rules}} {{storyId}}')
    expect(text).toContain('<!-- mode: review -->')
    expect(text).toContain('{{edits}}')
  })
})

describe('who is told what', () => {
  const secretive = story('US-001', {
    ...stage.rejected,
    notes: 'NOTES OF THE AUTHOR',
    estimate: 'UNKNOWN FIELD',
    mayChange: ['test/golden/*'],
    dependsOn: ['US-002'],
  })

  it('an author gets the story in full', () => {
    const { blocks } = takeApart(build({ mode: 'review-fix', story: secretive }))
    const text = blocks.find((block) => block.kind === 'story')?.text ?? ''
    expectOrder(
      text,
      'id: US-001',
      'title: Title of US-001',
      'description: What US-001 is about',
      '  1. US-001 does one thing',
      '  2. US-001 does another',
      'dependsOn: US-002',
      'test/golden/*',
      'estimate: UNKNOWN FIELD',
      'NOTES OF THE AUTHOR',
    )
    expect(blocks.find((block) => block.kind === 'review-feedback')?.text).toBe('Handle the empty case.')
  })

  // Attack 99, notes-not-in-review-prompt.
  it('a reviewer gets what is judged, and nothing that the author says about it', () => {
    const ours = { ...secretive, ...stage.resubmitted }
    const prompt = build({
      mode: 'review',
      story: ours,
      list: list([ours, story('US-002', { notes: 'NOTES OF THE AUTHOR' })]),
      feedback: { ...feedback, error: 'LAST WORDS OF THE AUTHOR' },
    })
    expect(prompt).toContain('US-001 does another')
    for (const text of ['NOTES OF THE AUTHOR', 'UNKNOWN FIELD', 'LAST WORDS OF THE AUTHOR']) {
      expect(prompt).not.toContain(text)
    }
  })

  it('the other stories are named by title and state', () => {
    const others = [
      story('US-002', stage.approved),
      story('US-003', stage.submitted),
      story('US-004', { blocked: 'needs a key' }),
      story('US-005', { splitInto: ['US-003'] }),
      story('US-006', stage.passed),
      story('US-007'),
    ]
    const { blocks } = takeApart(build({ list: list([story('US-001'), ...others]) }))
    expect(blocks.find((block) => block.kind === 'stories')?.text).toBe(
      [
        'US-002 [approved] Title of US-002',
        'US-003 [needs_review] Title of US-003',
        'US-004 [blocked] Title of US-004',
        'US-005 [waits for its parts] Title of US-005',
        'US-006 [passed] Title of US-006',
        'US-007 [open] Title of US-007',
      ].join('\n'),
    )
  })

  it('of very many other stories only open ones are named, and how many are not', () => {
    const others = Array.from({ length: 300 }, (_, index) => story(`S-${index}`, index < 250 ? stage.approved : {}))
    const { blocks, outside } = takeApart(build({ list: list([story('US-001'), ...others]) }))
    expect(blocks.find((block) => block.kind === 'stories')?.text.split('\n')).toHaveLength(50)
    expect(outside).toContain('50 of 300 are open; 250 are not named here')
  })

  it('all checks are named, those of the story first; where there are none, that is said', () => {
    const { blocks } = takeApart(build({ storyChecks: ['npm run a'], checks: ['npm run b', 'npm run c'] }))
    expect(blocks.find((block) => block.kind === 'commands')?.text).toBe(
      'for US-001:\n- npm run a\nfor the whole list:\n- npm run b\n- npm run c',
    )
    expect(build({ checks: [] })).toContain('The runner has no command to run. If the project can be tested')
    expect(build({ checks: [], mode: 'review', review: reviewMaterial() })).not.toContain('add it to `verifyCommands`')
  })
})
