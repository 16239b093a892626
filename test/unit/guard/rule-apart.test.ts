import { expect, it } from 'vitest'
import { decide } from '../../../src/guard/decide.ts'
import type { Rule } from '../../../src/guard/rule.ts'
import { RuleApart } from '../../../src/guard/rule-apart.ts'
import { guardedPlace } from '../../support/guarded-place.ts'

const rule: Rule = {
  name: 'no-make',
  category: 'processes',
  why: 'It is not wanted.',
  instead: 'Do without.',
  programs: 'make',
  forbids: ({ args }) => (args.includes('all') ? 'would make all' : null),
  forbidsTogether: (commands) => (commands.length > 2 ? 'would do too much' : null),
}

function ask(command: string): { readonly answer: string; readonly loads: number } {
  let loads = 0
  const apart = new RuleApart(rule.name, rule.category, 'make', () => {
    loads++
    return rule
  })
  const answer = decide({ kind: 'shell', command }, guardedPlace(), [apart])
  return { answer: answer.decision === 'deny' ? `${answer.rule}: ${answer.reason}` : 'allow', loads }
}

it('says what the rule says', () => {
  const reason = "no-make: Ralph's guard denied this call: it would make all. It is not wanted. Do without."
  expect(ask('make all').answer).toBe(reason)
  expect(ask('make a; make b; make c').answer).toContain('would do too much')
  expect(ask('make a').answer).toBe('allow')
})

it('is read only for a command of its programs', () => {
  expect(ask('ls all; echo make; cat a b')).toEqual({ answer: 'allow', loads: 0 })
})
