import { describe, expect, it } from 'vitest'
import { retryAt } from '../../../src/limits/retry-at.ts'

const nowMs = 1_000_000

describe('retryAt', () => {
  it('waits until a usage limit has reset, and a little longer', () => {
    expect(retryAt('usage-limit', { resetsAt: 2_000_000, retries: 0, nowMs })).toBe(2_002_000)
  })

  it('asks again after five minutes where nobody says when', () => {
    expect(retryAt('usage-limit', { resetsAt: null, retries: 0, nowMs })).toBe(nowMs + 300_000)
  })

  it('does not go back in time', () => {
    expect(retryAt('usage-limit', { resetsAt: 5, retries: 0, nowMs })).toBe(nowMs + 2000)
  })

  it.each([
    [0, 2000],
    [1, 4000],
    [4, 32_000],
    [5, 60_000],
    [900, 60_000],
  ])('gives an overloaded service more time each time: after %i retries %i ms', (retries, ms) => {
    expect(retryAt('overloaded', { resetsAt: null, retries, nowMs })).toBe(nowMs + ms)
  })

  it('needs no time after anything else', () => {
    expect(retryAt('failed', { resetsAt: 2_000_000, retries: 3, nowMs })).toBeNull()
  })
})
