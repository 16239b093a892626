import { expect, it } from 'vitest'
import { formatCost, formatTokens, formatTook, listed, plural } from '../../../src/terminal/format-amounts.ts'

it.each([
  [0, '0 ms'],
  [99, '99 ms'],
  [100, '0.1 s'],
  [1234, '1.2 s'],
  [9949, '9.9 s'],
  [9960, '10 s'],
  [61_000, '1 min 1 s'],
  [-5, '0 ms'],
])('writes that %d ms were %s', (ms, text) => {
  expect(formatTook(ms)).toBe(text)
})

it.each([
  [0, '$0.00'],
  [0.001, '<$0.01'],
  [0.005, '$0.01'],
  [0.254, '$0.25'],
  [12.5, '$12.50'],
  [-1, '$0.00'],
])('writes a cost of %d as %s', (usd, text) => {
  expect(formatCost(usd)).toBe(text)
})

it.each([
  [{ input: 900, output: 45, cacheRead: 0, cacheWrite: 0 }, '900 tokens in, 45 out'],
  [{ input: 10, output: 2000, cacheRead: 30_000, cacheWrite: 400 }, '30.4k tokens in (30k cached), 2k out'],
  [{ input: 999_950, output: 999_949, cacheRead: 0, cacheWrite: 0 }, '1M tokens in, 1000k out'],
  [{ input: 350_000, output: 45_300, cacheRead: 850_000, cacheWrite: 0 }, '1.2M tokens in (850k cached), 45.3k out'],
])('writes %j as %s', (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text)
})

it('counts in words', () => {
  expect([plural(0, 'commit'), plural(1, 'commit'), plural(2, 'story', 'stories')]).toEqual([
    '0 commits',
    '1 commit',
    '2 stories',
  ])
})

it('lists a few and counts the rest', () => {
  expect(listed(['a', 'b', 'c'])).toBe('a; b; c')
  expect(listed(['a', 'b', 'c', 'd'])).toBe('a; b; c; and 1 more')
})
