import { describe, expect, it } from 'vitest'
import { windowSize } from '../../../../src/hooks/context/window-size.ts'

describe('windowSize', () => {
  it('is what the user says, Ralph first', () => {
    const env = { RALPH_CONTEXT_WINDOW: '300000', CLAUDE_CONTEXT_WINDOW: '100000' }
    expect(windowSize(env, 'claude-opus-5-5', 900_000)).toBe(300_000)
    expect(windowSize({ CLAUDE_CONTEXT_WINDOW: '100000' }, 'claude-opus-5-5', 900_000)).toBe(100_000)
  })

  it.each(['', '0', '-1', '1e6', '200k', ' 5', '0x10', 'NaN', '9'.repeat(40)])('takes %j for nothing said', (value) => {
    const env = { RALPH_CONTEXT_WINDOW: value, CLAUDE_CONTEXT_WINDOW: value }
    expect(windowSize(env, 'claude-sonnet-4-5', 1)).toBe(200_000)
  })

  it.each([
    ['claude-3-7-sonnet-20250219', 200_000],
    ['claude-haiku-4-5-20251001', 200_000],
    ['claude-sonnet-4-20250514', 200_000],
    ['claude-sonnet-4-6', 200_000],
    ['claude-sonnet-4-5[1m]', 1_000_000],
    ['claude-opus-4-1-20250805', 200_000],
    ['claude-opus-4-6', 200_000],
    ['claude-opus-4-7', 1_000_000],
    ['claude-opus-5', 1_000_000],
    ['claude-opus-5-5', 1_000_000],
    ['claude-haiku-5-5', 1_000_000],
    ['claude-sonnet-5', 1_000_000],
    ['claude-fable-5-1', 1_000_000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000],
    ['anthropic.claude-opus-4-7', 1_000_000],
    ['some-other-model', 200_000],
    ['', 200_000],
  ])('of %s is %d', (model, size) => {
    expect(windowSize({}, model, 1000)).toBe(size)
  })

  it('has no million where the user has switched that off', () => {
    expect(windowSize({ CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' }, 'claude-opus-5-5', 1)).toBe(200_000)
    expect(windowSize({ CLAUDE_CODE_DISABLE_1M_CONTEXT: '0' }, 'claude-opus-5-5', 1)).toBe(1_000_000)
  })

  it('is larger than what is in it', () => {
    expect(windowSize({}, 'some-other-model', 200_001)).toBe(1_000_000)
  })
})
