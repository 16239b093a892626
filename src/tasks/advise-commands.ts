import { visibleLine } from '../base/visible.ts'
import type { Advice } from './advice.ts'
import { isBlank } from './read-tasks.ts'

/** Checks that say yes whatever the work is like, or never say anything. */
export function adviseCommands(commands: readonly string[], story: string | null): Advice[] {
  const advice: Advice[] = []
  for (const command of commands) {
    const which = `${story === null ? 'verifyCommands has' : 'has'} the check "${visibleLine(command, 80)}"`
    const add = (what: string, fix: string) =>
      advice.push({ rule: 'check', story, what: `${which}, which ${what}.`, fix })
    const text = command.slice(0, 2000).trim()
    if (isBlank(text)) continue
    if (alwaysPasses.test(text)) {
      add('passes whatever the work is like', 'Name a command that fails when the work is not done.')
    } else if (goesOn.test(text) && !endsAnyway.test(text)) {
      add('does not end by itself', 'Name the form that runs once, like "npm test" or "vitest run".')
    }
  }
  return advice
}

const alwaysPasses = /^(?:true|:|exit 0|echo\b[^|;&]*)$|(?:\|\||;) ?(?:true|:|exit 0)$/
const goesOn = /\s--?watch(?:All)?\b|\b(?:npm|pnpm|yarn|bun) (?:run )?(?:dev|serve|watch|start)\b(?![:-])/
const endsAnyway = /--watch(?:All)?[= ]false|--run\b|&|\btimeout\b/
