import type { IterationMode } from '../model/story.ts'
import { quoteCheck } from './describe-checks.ts'
import { listItem } from './list-item.ts'
import type { PromptContext } from './prompt-context.ts'
import type { Feedback } from './prompt-input.ts'

/** An agent decides how many there are. */
const mostFindings = 50
const mostChecks = 10

/**
 * What the runner found after the iteration before. A reviewer is not given the error of the author's run, which can be
 * the author's words, nor its failed checks, which are part of what it reviews.
 */
export function describeFeedback(context: PromptContext): string {
  const { feedback, mode, quote, maxDocumentChars } = context
  if (feedback === null) return ''
  const findings = list(feedback, context)
  const checks = mode === 'review' ? [] : feedback.failedChecks
  if (findings.length === 0 && checks.length === 0 && !feedback.falsePromise) return ''
  const text = findings.slice(0, mostFindings).join('\n')
  return [
    `## What the runner found after iteration ${feedback.iteration}`,
    ...(findings.length === 0
      ? []
      : [findingsIntro(findings.length, mode), quote({ kind: 'feedback', text, maxChars: maxDocumentChars })]),
    ...(checks.length === 0
      ? []
      : [checksIntro(checks.length), ...checks.slice(0, mostChecks).map((check) => quoteCheck(check, context))]),
    ...(feedback.falsePromise
      ? [`It printed \`${context.promise}\` while stories were open. The runner verifies that; it ends nothing.`]
      : []),
  ].join('\n\n')
}

function list(feedback: Feedback, { mode, maxTextChars }: PromptContext): string[] {
  const item = (label: string, text: string) => listItem(label, text, maxTextChars)
  const of = (story: string | null) => (story === null ? '' : ` ${story}`)
  return [
    ...(feedback.error === null || mode === 'review' ? [] : [item('error:', feedback.error)]),
    ...feedback.violations.map(({ rule, story, message }) => item(`put back [${rule}]${of(story)}:`, message)),
    ...feedback.unfinished.map(({ what, story, message }) => item(`missing [${what}]${of(story)}:`, message)),
  ]
}

const findingsIntro = (count: number, mode: IterationMode): string =>
  (mode === 'review'
    ? '"put back" was not allowed and has been undone. "missing" is what that iteration did not do.'
    : '"put back" was not allowed and has been undone: do not do it again. "missing" is still to be done, where it concerns your story.') +
  (count > mostFindings ? ` The first ${mostFindings} of ${count} are named.` : '')

const checksIntro = (count: number): string =>
  `Checks failed when the runner ran them: ${count}${count > mostChecks ? `, of which ${mostChecks} are shown` : ''}. ` +
  'Their whole output is in `.ralph/guardrail_*.log`.'
