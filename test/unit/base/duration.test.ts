import { expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../../../src/base/duration.ts'

it.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['1.5m', 90_000],
  ['0', 0],
  ['0.001', 1],
])('reads %s as %i ms', (text, ms) => {
  expect(parseDuration(text)).toEqual({ ok: true, value: ms })
})

it.each(['', ' 5', '5 m', '-1', '1d', '1e3', 'm', '5m\n', '٣', '1.2345', '0x10'])(
  'refuses %j and says how to write one',
  (text) => {
    const parsed = parseDuration(text)
    expect(parsed.ok).toBe(false)
    expect(!parsed.ok && parsed.error).toContain('write 90, 90s, 10m or 2h')
  },
)

it.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [999.7, '1 s'],
  [12_000, '12 s'],
  [59_600, '1 min'],
  [200_000, '3 min 20 s'],
  [3_599_999, '1 h 00 min'],
  [7_500_000, '2 h 05 min'],
])('writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
