import type { CheckResult } from '../model/check-result.ts'
import { listItem } from './list-item.ts'
import type { PromptContext } from './prompt-context.ts'

/** The commands that decide. An iteration may add some, so they are quoted like all that agents write. */
export function describeChecks(context: PromptContext): string {
  const { storyChecks, checks, story, mode, quote, maxTextChars, maxDocumentChars } = context
  const title = '## The checks'
  if (storyChecks.length + checks.length === 0) {
    const add = 'If the project can be tested by a command, add it to `verifyCommands` of the list.'
    return [title, `The runner has no command to run.${mode === 'review' ? '' : ` ${add}`}`].join('\n\n')
  }
  const item = (command: string) => listItem('-', command, maxTextChars)
  const text = [
    ...(storyChecks.length === 0 ? [] : [`for ${story.id}:`, ...storyChecks.map(item)]),
    ...(checks.length === 0 ? [] : ['for the whole list:', ...checks.map(item)]),
  ].join('\n')
  return [
    title,
    'Each must exit 0 in the project directory. The runner runs them itself when you have exited, and only that counts. The ' +
      'output of one that fails is kept in `.ralph/guardrail_<iteration>_<command>.log` for the next iteration.',
    quote({ kind: 'commands', text, maxChars: maxDocumentChars }),
  ].join('\n\n')
}

/** One check as the runner ran it. Command and output are text that an agent can have made. */
export function quoteCheck(check: CheckResult & { readonly path?: string | null }, context: PromptContext): string {
  const { quote, maxTextChars, maxDocumentChars } = context
  const item = (label: string, text: string) => listItem(label, text, maxTextChars)
  const lines = [
    item('command:', check.command),
    `exit code: ${check.exitCode ?? 'none'}`,
    ...(check.trouble === null ? [] : [item('trouble:', check.trouble)]),
    ...(check.cannotStart ? ['It could not be started; a person may have to install something.'] : []),
    ...(check.path == null ? [] : [item('whole output:', check.path)]),
    check.output.trim() === '' ? 'output: none' : item('output:', check.output),
  ]
  return quote({ kind: 'check-result', text: lines.join('\n'), maxChars: maxDocumentChars })
}
