import { describe, expect, it } from 'vitest'
import { brokeOff, serviceFailure } from '../../../src/agents/service-failure.ts'
import { exited } from '../../support/play-stream.ts'

const help = { login: 'log in', install: 'install it' }
const exit = exited(1)
const of = (said: string, status: number | null = null) => serviceFailure({ said, status }, exit, help)

describe('serviceFailure', () => {
  it.each([
    ["You've hit your usage limit, try again in 2h5m.", 125 * 60_000],
    ['You have exhausted your daily quota on this model.', null],
    ['Your quota will reset after 3h20m15s.', (3 * 60 + 20) * 60_000 + 15_000],
    ['You have reached your weekly limit', null],
    ['You have exceeded your premium request allowance.', null],
  ])('takes "%s" for a usage limit', (said, delayMs) => {
    const resetsAt = delayMs === null ? null : exit.endedAt + delayMs
    expect(of(said, 429)).toMatchObject({ outcome: 'usage-limit', message: said, resetsAt })
  })

  it('takes a status 429 with a long time to wait for a usage limit, and with a short one for none', () => {
    const words = { said: 'Too many requests', status: 429 }
    const until = (ms: number) => serviceFailure({ ...words, resetsAt: exit.endedAt + ms }, exit, help)
    expect(until(3_600_000)).toMatchObject({ outcome: 'usage-limit', resetsAt: exit.endedAt + 3_600_000 })
    expect(until(1000)).toMatchObject({ outcome: 'overloaded', resetsAt: null })
  })

  it.each([
    ['429 Rate limit reached for gpt-fake.', null],
    ['[API Error: 503 Service Unavailable]', null],
    ['You exceeded your current quota. Please retry in 2s.', 429],
    ['fetch failed: ECONNREFUSED 127.0.0.1:1', null],
    ['Something went wrong', 500],
    ['Something went wrong', 529],
  ])('takes "%s" with status %j for an overloaded service', (said, status) => {
    expect(of(said, status)).toMatchObject({ outcome: 'overloaded', message: said, fix: null })
  })

  it.each([
    ['401 Incorrect API key provided', null],
    ['API key not valid.', 400],
    ['No API key found for the selected model.', null],
    ['forbidden', 403],
    ['Please log in using /login', null],
    ['Invalid auth method selected.', null],
  ])('takes "%s" with status %j for nobody logged in', (said, status) => {
    expect(of(said, status)).toMatchObject({ outcome: 'not-logged-in', message: said, fix: 'log in' })
  })

  it.each(['402 Payment required', 'insufficient_quota: check your plan', 'Your credit balance is too low'])(
    'says that %j needs credit',
    (said) => {
      expect(of(said)).toMatchObject({ outcome: 'not-logged-in', fix: expect.stringContaining('add credit') })
    },
  )

  it.each(['The model gpt-x does not exist', 'ran out of room in the context window', 'line 429abc', 'took 500ms'])(
    'takes %j for a failure like any other',
    (said) => {
      expect(of(said)).toMatchObject({ outcome: 'failed', message: said })
    },
  )

  it('says the sentence of an answer that was passed on whole', () => {
    expect(of('[API Error: {"error":{"code":401,"message":"That key is old."}}]')).toMatchObject({
      outcome: 'not-logged-in',
      message: 'That key is old.',
    })
  })

  it('reads stderr of a program that said nothing else', () => {
    const stderr = 'Warning: please update\nError: No authentication information found.\n\n  • advice\n'
    expect(serviceFailure({ said: '' }, exited(1, stderr), help)).toMatchObject({
      outcome: 'not-logged-in',
      message: 'Error: No authentication information found.',
    })
    expect(serviceFailure({ said: '' }, exited(3), help).message).toBe('ended without a result (exited with 3)')
  })

  it('does not read there what it was told by the stream', () => {
    expect(serviceFailure({ said: 'odd' }, exited(1, 'error: unknown option --x'), help).outcome).toBe('failed')
  })

  it('is quick with hostile words', () => {
    const started = performance.now()
    for (const piece of ['hit your ', 'model ', 'retry in 1d ', '4 ', 'resets 1']) of(piece.repeat(2_000_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('brokeOff', () => {
  it('decides nothing by stderr, where a tool may have written', () => {
    const end = brokeOff(exited(0, 'Error: 401 Unauthorized, please log in\n'))
    expect(end).toMatchObject({
      outcome: 'failed',
      message: 'ended without a result (exited with 0): Error: 401 Unauthorized, please log in',
    })
  })
})
