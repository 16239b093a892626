import { describe, expect, it } from 'vitest'
import { activeRules } from '../../../src/guard/active-rules.ts'
import { decide } from '../../../src/guard/decide.ts'
import { rules } from '../../../src/guard/rules.ts'
import { guardedPlace } from '../../support/guarded-place.ts'

const ruleOf = (command: string, isolation: string, allow: readonly string[] = []): string => {
  const answer = decide({ kind: 'shell', command }, guardedPlace(), activeRules({ isolation, allow }))
  return answer.decision === 'deny' ? answer.rule : 'allowed'
}

describe('in a box', () => {
  it.each(['sbx', 'docker-sandbox', 'os', 'anything else'])('%s contains what stays in it', (isolation) => {
    expect(ruleOf('rm -rf /usr/lib', isolation)).toBe('allowed')
    expect(ruleOf('sudo reboot', isolation)).toBe('allowed')
  })

  it.each(['sbx', 'os'])('%s does not contain what reaches outside, or the loop itself', (isolation) => {
    expect(ruleOf('rm .ralph-active', isolation)).toBe('marker')
    expect(ruleOf('git push --force', isolation)).toBe('git-push')
    expect(ruleOf('cat ~/.ssh/id_rsa', isolation)).toBe('credential-file')
    expect(ruleOf('$('.repeat(200), isolation)).toBe('unreadable-call')
  })

  it.each(['', 'none'])('every rule holds where there is none: "%s"', (isolation) => {
    expect(activeRules({ isolation, allow: [] })).toBe(rules)
    expect(ruleOf('rm -rf /usr/lib', isolation)).not.toBe('allowed')
  })
})

describe('a rule that the settings lift', () => {
  it('holds no longer, and all others do', () => {
    expect(ruleOf('git push --force', 'none', ['git-push'])).toBe('allowed')
    expect(ruleOf('git reset --hard HEAD~3', 'none', ['git-push'])).not.toBe('allowed')
  })

  it('is never one that protects the loop', () => {
    expect(ruleOf('rm .ralph-active', 'none', ['marker'])).toBe('marker')
    expect(
      ruleOf(
        'rm .ralph-active',
        'os',
        rules.map(({ name }) => name),
      ),
    ).toBe('marker')
  })
})

describe('the rules', () => {
  it('have names of their own, and say what they mean in sentences', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
    for (const { name, why, instead } of rules) {
      expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
      expect(why).toMatch(/^[A-Z].+\.$/)
      expect(instead).toMatch(/^[A-Z].+\.$/)
    }
  })
})
