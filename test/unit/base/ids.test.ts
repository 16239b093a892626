import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRunId, isId, isRunId } from '../../../src/base/ids.ts'
import { parseJson } from '../../../src/base/json.ts'

describe('isId', () => {
  it.each(['US-001', 'a', 'A.b_c-9', '9', 'x'.repeat(64)])('takes %s', (text) => {
    expect(isId(text)).toBe(true)
  })

  it.each(['', '.a', '-a', '_a', 'a/b', 'a b', 'a\n', 'ä', 'x'.repeat(65), '..', 'a\0'])('refuses %j', (text) => {
    expect(isId(text)).toBe(false)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    '51 story-id-proto: %s is no id',
    (text) => {
      expect(isId(text)).toBe(false)
    },
  )

  it('allows only what can be a key of a JSON object that we read again', () => {
    const likely = fc.oneof(fc.stringMatching(/^[A-Za-z0-9._-]{1,10}$/), fc.constantFrom('constructor', 'prototype'))
    fc.assert(
      fc.property(likely, (text) => {
        fc.pre(isId(text))
        expect(parseJson(JSON.stringify({ [text]: 1 })).ok).toBe(true)
      }),
    )
  })
})

describe('run ids', () => {
  const random = Uint8Array.from([0, 0xc0, 0xff, 0xee, 1])

  it('read as a date and carry the random part', () => {
    expect(formatRunId(Date.UTC(2026, 10, 1, 2, 3, 4, 999), random)).toBe('20261101-020304-00c0ffee')
  })

  it('are recognised, and nothing else is', () => {
    expect(isRunId(formatRunId(0, random))).toBe(true)
    for (const text of [
      '',
      '..',
      '20261101-020304-00c0ffe',
      '20261101-020304-00C0FFEE',
      '20261101-020304-00c0ffee/',
      '20261101-020304-00c0ffee\n',
      '20261301-020304-00c0ffee',
      '20261132-020304-00c0ffee',
      '20261101-240304-00c0ffee',
      '20261101-026004-00c0ffee',
      '99999999-999999-00c0ffee',
    ]) {
      expect(isRunId(text), text).toBe(false)
    }
  })

  it('sort as their times do', () => {
    const time = fc.integer({ min: 0, max: Date.UTC(9999, 0) / 1000 })
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a < b)
        expect(formatRunId(a * 1000, random) < formatRunId(b * 1000, random)).toBe(true)
      }),
    )
  })
})
