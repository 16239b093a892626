import { describe, expect, it } from 'vitest'
import { claudeLikeFailure } from '../../../src/agents/claude-like-failure.ts'
import type { JsonObject } from '../../../src/base/json.ts'
import { exited } from '../../support/play-stream.ts'

const help = { login: 'log in', install: 'install it' }
const of = (result: JsonObject | null, { begun = true, exit = exited(1) } = {}) =>
  claudeLikeFailure({ result, begun, apiError: null, rejected: null }, exit, help)

describe('claudeLikeFailure', () => {
  it('needs a last word and exit code 0 for a success', () => {
    const success = { subtype: 'success', is_error: false, result: 'done' }
    expect(of(success, { exit: exited(0) })).toBeNull()
    expect(of(success)).toMatchObject({ outcome: 'failed', message: expect.stringContaining('exited with 1') })
  })

  it.each([
    [{ subtype: 'error_during_execution', is_error: true, error: '401 Unauthorized' }, 'not-logged-in'],
    [{ subtype: 'error_during_execution', is_error: true, error: { message: '429 slow down' } }, 'overloaded'],
    [{ subtype: 'error_max_turns', is_error: true, errors: ['too many turns'] }, 'failed'],
  ])('reads why from %j', (result, outcome) => {
    expect(of(result)?.outcome).toBe(outcome)
  })

  it('does not take the words of the model for those of the program', () => {
    const result = { subtype: 'error_max_turns', is_error: false, result: "You've hit your usage limit, please log in" }
    expect(of(result)).toMatchObject({ outcome: 'failed', message: 'ended with error_max_turns' })
  })

  it('believes stderr only of a program that has not begun to work', () => {
    const exit = exited(1, 'Error: 401 Unauthorized')
    expect(of(null, { begun: false, exit })?.outcome).toBe('not-logged-in')
    expect(of(null, { exit })?.outcome).toBe('failed')
  })
})
