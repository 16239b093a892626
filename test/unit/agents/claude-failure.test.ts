import { describe, expect, it } from 'vitest'
import { claudeFailure, type ClaudeWords } from '../../../src/agents/claude-failure.ts'
import { exited } from '../../support/play-stream.ts'

const silent: ClaudeWords = { result: null, apiError: null, rejected: null, begun: false }
const failed = (more: Record<string, string | number | null>) => ({
  ...silent,
  result: { is_error: true, subtype: 'success', ...more },
})

describe('claudeFailure', () => {
  it.each([
    ['\n  Error: Session ID 86beab50 is already in use.\n', 'Error: Session ID 86beab50 is already in use.'],
    ['', 'ended without a result (exited with 1)'],
  ])('says of a run without a word what stderr says: %j', (stderr, message) => {
    expect(claudeFailure(silent, exited(1, stderr))).toMatchObject({ outcome: 'failed', message })
  })

  it('cannot work with a program that does not know an option', () => {
    const stderr = "error: unknown option '--nope'\n(Did you mean --name?)\n"
    const expected = { outcome: 'unavailable', message: "error: unknown option '--nope'" }
    expect(claudeFailure(silent, exited(1, stderr))).toMatchObject(expected)
    // Later such words may be those of a tool.
    expect(claudeFailure({ ...silent, begun: true }, exited(1, stderr))?.outcome).toBe('failed')
  })

  it('knows from stderr that nobody is logged in', () => {
    expect(claudeFailure(silent, exited(1, 'Not logged in · Please run /login'))?.outcome).toBe('not-logged-in')
  })

  it.each([
    ["You've hit your limit · resets 7am (UTC)", Date.UTC(2026, 10, 16, 7)],
    ['You’ve hit your org’s monthly spend limit', null],
    ["You've hit your Opus limit · resets Nov 20, 5pm (UTC)", Date.UTC(2026, 10, 20, 17)],
    ['Claude AI usage limit reached|1794812231', 1_794_812_231_000],
  ])('knows a usage limit by its words: %s', (result, resetsAt) => {
    expect(claudeFailure(failed({ result }), exited(1))).toMatchObject({
      outcome: 'usage-limit',
      message: result,
      resetsAt,
    })
  })

  it.each([
    [{ api_error_status: 500 }, 'overloaded'],
    [{ api_error_status: 503 }, 'overloaded'],
    [{ api_error_status: 400 }, 'failed'],
    [{ api_error_status: 413 }, 'failed'],
    [{ terminal_reason: 'prompt_too_long' }, 'failed'],
  ])('takes %j for %s', (result, outcome) => {
    expect(claudeFailure(failed(result), exited(1))?.outcome).toBe(outcome)
  })

  it('does not blame a limit for what the budget ended', () => {
    const result = { subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' }
    expect(claudeFailure({ ...silent, result, rejected: { resetsAt: null } }, exited(1))?.outcome).toBe('failed')
  })

  it.each(['hook_stopped', 'stop_hook_prevented', 'aborted_tools', 'background_requested', 'a_reason_of_next_year'])(
    'takes a success for none that ended with %s, and nothing that the model said for a reason',
    (reason) => {
      const result = {
        subtype: 'success',
        is_error: false,
        terminal_reason: reason,
        result: 'Not logged in · Please run /login',
      }
      expect(claudeFailure({ ...silent, result }, exited(0))).toMatchObject({
        outcome: 'failed',
        message: `ended with ${reason}`,
      })
    },
  )

  it('takes a result of an older version, without a terminal reason, for what it says', () => {
    expect(claudeFailure({ ...silent, result: { subtype: 'success', is_error: false } }, exited(0))).toBeNull()
    expect(claudeFailure({ ...silent, result: { subtype: 'success' } }, exited(0))).toBeNull()
  })

  it('says it in one line', () => {
    const message = claudeFailure(failed({ result: `first\nsecond ${'x'.repeat(1000)}` }), exited(1))?.message
    expect(message).toBe('first')
  })

  it('costs no time on a hostile text', () => {
    const start = performance.now()
    claudeFailure(failed({ result: "you've hit your ".repeat(200_000) }), exited(1))
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
