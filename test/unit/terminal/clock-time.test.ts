import { afterEach, expect, it, vi } from 'vitest'
import { clockTime, minuteTime } from '../../../src/terminal/clock-time.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('is the time where the reader is', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  expect(clockTime('2026-11-01T02:03:04.000Z')).toBe('07:33:04')
  expect(minuteTime(Date.UTC(2026, 10, 1, 2, 3, 4))).toBe('07:33')
})

it('is nothing for what is no time', () => {
  expect([clockTime('soon'), clockTime(Number.NaN), minuteTime('')]).toEqual([null, null, null])
})
