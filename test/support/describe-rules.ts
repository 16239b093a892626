import { describe, expect, it } from 'vitest'
import { deniedBy } from './denied-by.ts'

/** What a rule denies, and what looks like it and is allowed: one command on each line, `⏎` is a line break in one. */
export interface RuleCases {
  readonly denied: string
  readonly allowed: string
}

/** A test for each command, by the name of the rule. */
export function describeRules(cases: Readonly<Record<string, RuleCases>>): void {
  describe.each(Object.entries(cases))('%s', (rule, { denied, allowed }) => {
    it.each(lines(denied))('denies %s', (command) => expect(deniedBy(command)).toBe(rule))
    it.each(lines(allowed))('allows %s', (command) => expect(deniedBy(command)).toBe('allowed'))
  })
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'))
    .filter((line) => line !== '')
