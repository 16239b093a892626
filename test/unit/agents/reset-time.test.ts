import { describe, expect, it } from 'vitest'
import { resetTime } from '../../../src/agents/reset-time.ts'

/** 2026-11-16 05:57 UTC, 06:57 in Berlin, 00:57 in New York. */
const now = Date.UTC(2026, 10, 16, 5, 57)

const utc = (text: string): string | null => {
  const found = resetTime(text, now)
  return found === null ? null : new Date(found).toISOString().slice(0, 16)
}

describe('resetTime', () => {
  it.each([
    ["You've hit your 5-hour limit · resets 6:57am (UTC)", '2026-11-16T06:57'],
    ["You've hit your 5-hour limit · resets 7am (UTC)", '2026-11-16T07:00'],
    ["You've hit your 5-hour limit · resets 12am (UTC)", '2026-11-17T00:00'],
    ["You've hit your 5-hour limit · resets 12pm (UTC)", '2026-11-16T12:00'],
    ['resets 2:27am (UTC)', '2026-11-17T02:27'],
    ['resets 18:30 (UTC)', '2026-11-16T18:30'],
    ["You've hit your weekly limit · resets Nov 20, 7:57am (Europe/Berlin)", '2026-11-20T06:57'],
    ['resets Nov 20 at 7:57am (Europe/Berlin)', '2026-11-20T06:57'],
    ['resets 2am (America/New_York)', '2026-11-16T07:00'],
    ['resets 1am (Asia/Kolkata)', '2026-11-16T19:30'],
    ['Try again at 1:47 AM (UTC).', '2026-11-17T01:47'],
    ['try again at Nov 17th, 2026 1:47 AM (UTC).', '2026-11-17T01:47'],
    ['Claude AI usage limit reached|1794812231', '2026-11-16T06:57'],
    ['Please try again in 90 minutes.', '2026-11-16T07:27'],
    ['Your quota will reset after 3h20m0s.', '2026-11-16T09:17'],
    ['limit resets in 1 day and 2 hours', '2026-11-17T07:57'],
    ['available again in 2 hrs, 3 min', '2026-11-16T08:00'],
    ['retry in 1.5h', '2026-11-16T07:27'],
  ])('reads %j', (text, expected) => {
    expect(utc(text)).toBe(expected)
  })

  it('takes a time that has just passed for over, not for tomorrow', () => {
    expect(utc('resets 5:50am (UTC)')).toBe('2026-11-16T05:50')
    expect(utc('resets 5:40am (UTC)')).toBe('2026-11-17T05:40')
  })

  it('reads a date without a year over the end of the year', () => {
    const december = Date.UTC(2026, 11, 30)
    expect(resetTime('resets Jan 2, 5am (UTC)', december)).toBe(Date.UTC(2027, 0, 2, 5))
  })

  it('takes the local time of this machine where no zone is named', () => {
    const local = new Date(2026, 10, 16, 12, 0).getTime()
    expect(resetTime('try again at 1:47 PM.', local)).toBe(new Date(2026, 10, 16, 13, 47).getTime())
  })

  it('knows the hour that a zone skips or repeats', () => {
    const march = Date.UTC(2026, 2, 28, 12)
    expect(resetTime('resets Mar 29, 4am (Europe/Berlin)', march)).toBe(Date.UTC(2026, 2, 29, 2))
    expect(resetTime('resets Mar 29, 1am (Europe/Berlin)', march)).toBe(Date.UTC(2026, 2, 29, 0))
  })

  it.each([
    'no time',
    'resets',
    'resets 3 limits',
    'resets 25:00 (UTC)',
    'resets 10:75 (UTC)',
    'resets 2am (Not/AZone)',
    'resets Foo 20, 7am (UTC)',
    'resets Nov 20, 2031 7am (UTC)',
    'reached|9999999999',
    'reached|123',
  ])('says nothing about %j', (text) => {
    expect(resetTime(text, now)).toBeNull()
  })

  it('costs no time on a hostile text', () => {
    const start = performance.now()
    for (const piece of ['resets ', 'resets nov 1', '|123456789', 'try again at '])
      resetTime(piece.repeat(200_000), now)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
