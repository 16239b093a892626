import { visible } from '../base/visible.ts'
import type { CheckResult } from '../model/check-result.ts'
import type { RanCheck, RunState } from '../model/run-state.ts'

/** What stands in a list may be long, and every later prompt carries it. */
const maxFeedback = 4000

/** Why an approval did not stand, for the one who fixes it: the checks that failed, with their output. */
export function checkFeedback({ checks, last, open }: RunState, recall: (check: RanCheck) => CheckResult): string {
  const failed = checks.filter(({ exitCode, decides }) => decides && exitCode !== 0).map(recall)
  const violations = (open?.verdict ?? last)?.violations.filter(({ rule }) => rule === 'changed-by-checks') ?? []
  const share = Math.floor(maxFeedback / Math.max(1, failed.length))
  return [
    ...violations.map(({ message }) => message),
    ...failed.map(
      ({ command, exitCode, trouble, output }) =>
        `The check \`${visible(command)}\` failed when Ralph ran it (${trouble ?? `exit code ${exitCode}`}). ${printed(output, share)}`,
    ),
  ].join('\n\n')
}

const printed = (output: string, maxLength: number): string =>
  output.trim() === '' ? 'It printed nothing.' : `Its output:\n${cut(visible(output), maxLength)}`

/** The end of an output says most. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `[… ${text.length - maxLength} characters left out …]\n${text.slice(-maxLength)}`
