import type { CheckResult } from '../../src/model/check-result.ts'
import type { PromptInput, ReviewMaterial } from '../../src/prompt/prompt-input.ts'
import { list, stage, story } from './task-list.ts'

export const nonce = '7f3a9c0d1e2b4f5a6978b7c6d5e4f3a2'

/** What an implement iteration on the first of three stories is told. */
export function promptInput(fields: Partial<PromptInput> = {}): PromptInput {
  const ours = fields.story ?? story('US-001', stageOf(fields.mode))
  return {
    template: '',
    iteration: 3,
    maxIterations: 15,
    mode: 'implement',
    skipReview: false,
    reviewCap: 5,
    completionTag: 'COMPLETE',
    list: list([ours, story('US-002', stage.approved), story('US-003')]),
    story: ours,
    ralphDir: 'ralph',
    storyChecks: [],
    checks: ['npm test'],
    nonce,
    feedback: null,
    review: fields.mode === 'review' ? reviewMaterial() : null,
    includeIterationCount: true,
    maxTextChars: 2000,
    ...fields,
  }
}

function stageOf(mode: PromptInput['mode'] = 'implement') {
  return { implement: stage.open, review: stage.submitted, 'review-fix': stage.rejected }[mode]
}

export function reviewMaterial(fields: Partial<ReviewMaterial> = {}): ReviewMaterial {
  return {
    base: 'b'.repeat(40),
    commit: 'c'.repeat(40),
    changedPaths: ['src/sum.ts'],
    diff: { text: '+export const sum = 1', omittedBytes: 0 },
    surface: { paths: [], diff: { text: '', omittedBytes: 0 } },
    changedTests: [],
    deletedTests: [],
    changedInstructions: [],
    newlyIgnored: [],
    leftOut: [],
    artefacts: [],
    changedPrograms: [],
    checks: [],
    requirements: 'Sums are exact.',
    isLast: false,
    ...fields,
  }
}

export function checkResult(fields: Partial<CheckResult> = {}): CheckResult {
  return {
    command: 'npm test',
    exitCode: 1,
    durationMs: 5,
    log: '/state/check.log',
    output: '1 test failed',
    trouble: null,
    cannotStart: false,
    ...fields,
  }
}

export interface Block {
  readonly kind: string
  readonly text: string
}

/** A prompt as a reader who trusts only the nonce takes it apart; throws where the delimiters do not fit. */
export function takeApart(prompt: string, mark = nonce): { blocks: Block[]; outside: string } {
  const blocks: Block[] = []
  const outside: string[] = []
  let open: { kind: string; lines: string[] } | null = null
  for (const line of prompt.split('\n')) {
    const kind =
      line.startsWith(`<<DATA ${mark} kind=`) && line.endsWith('>>') ? line.slice(line.indexOf('=') + 1, -2) : null
    const ends = line === `<<END ${mark}>>`
    if (open === null) {
      if (ends) throw new Error('an end without a beginning')
      if (kind === null) outside.push(line)
      else open = { kind, lines: [] }
    } else if (kind !== null) throw new Error('a block in a block')
    else if (ends) {
      blocks.push({ kind: open.kind, text: open.lines.join('\n') })
      open = null
    } else open.lines.push(line)
  }
  if (open !== null) throw new Error('a beginning without an end')
  return { blocks, outside: outside.join('\n') }
}
