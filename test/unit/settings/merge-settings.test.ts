import { expect, it } from 'vitest'
import { mergeSettings } from '../../../src/settings/merge-settings.ts'

it('merges objects key by key', () => {
  const base = { agent: { command: 'claude', args: ['--a'] }, maxIterations: 5 }
  expect(mergeSettings(base, { agent: { model: 'opus' } })).toEqual({
    agent: { command: 'claude', args: ['--a'], model: 'opus' },
    maxIterations: 5,
  })
})

it('replaces lists and everything else', () => {
  const base = { agent: { args: ['--a', '--b'] }, checks: [{ command: 'a', hint: 'h' }], skipReview: true }
  const over = { agent: { args: ['--c'] }, checks: [{ command: 'b' }], skipReview: false }
  expect(mergeSettings(base, over)).toEqual(over)
})

it('changes neither of the two', () => {
  const base = { agent: { args: ['--a'] } }
  mergeSettings(base, { agent: { model: 'x' } })
  expect(base).toEqual({ agent: { args: ['--a'] } })
})
