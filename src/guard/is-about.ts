import { isAmong, worded } from './among.ts'
import type { Place } from './place.ts'
import { programsIn } from './programs-in.ts'
import type { Rule } from './rule.ts'
import type { Ran } from './shell/trace.ts'

/** The names that decide which rules are asked about a command: its own, and those of what it runs, runs it, or feeds it. */
export function namesAround(command: Ran, place: Place): readonly string[] {
  const { name, through, input, outputs, environment } = command
  const names = new Set([name, ...through])
  for (const inner of programsIn(command, place)) {
    names.add(inner.name)
    if (isAmong(worded, inner.name)) for (const word of wordsOf(inner)) names.add(word)
  }
  for (const before of input.commands) names.add(before.name)
  for (const printed of outputs) names.add(printed.name)
  if (environment.size > 0) names.add('=')
  return [...names]
}

const maxWords = 50

/** `npm/publish`; `npm/:` where a word looks like an address. */
function wordsOf({ name, args }: Ran): readonly string[] {
  if (args.length > maxWords) return [`${name}/`]
  const words = args.map((arg) => `${name}/${arg.toLowerCase()}`)
  return args.some((arg) => arg.includes(':') || arg.includes('@')) ? [...words, `${name}/:`] : words
}

/** Whether one of these names is among the programs of a rule. */
export function isAbout(rule: Rule, names: readonly string[]): boolean {
  const programs = programsOf(rule)
  return programs === null || names.some((name) => isAmong(programs, name))
}

const known = new WeakMap<Rule, string | null>()

/** Many rules make the list from their tables, once. */
function programsOf(rule: Rule): string | null {
  const found = known.get(rule)
  if (found !== undefined) return found
  const { programs = null } = rule
  known.set(rule, programs)
  return programs
}
