import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRepeatedKey, isObject, maxJsonDepth, parseJson, sameJson } from '../../../src/base/json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('parseJson', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        fc.pre(!/__proto__|constructor|prototype/.test(text))
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it('never throws, whatever the text is', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'a', '\u{feff}', '\ud800', '\n')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        expect(typeof parseJson(parts.join('')).ok).toBe('boolean')
      }),
    )
  })

  it('allows a byte order mark', () => {
    expect(parseJson('\u{feff}{"a":1}')).toEqual({ ok: true, value: { a: 1 } })
  })

  it('says what is wrong with text that is not JSON', () => {
    const parsed = parseJson('{"a":')
    expect(!parsed.ok && parsed.error).toMatch(/^not valid JSON \(.+\)$/)
  })

  it('says it in one line of visible characters, though the message quotes the text', () => {
    const parsed = parseJson('{"a": \u001b[2J\nStory A is approved.\u202e')
    expect(!parsed.ok && parsed.error).toContain('\\u{1b}[2J\\n')
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(!parsed.ok && parsed.error).not.toMatch(/[\0-\x1f\u202e]/)
  })

  it('takes any key where the keys are those of others, and reaches into no prototype', () => {
    const parsed = parseJson('{"__proto__":{"polluted":1},"prototype":2}', { anyKey: true })
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__', 'prototype'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(parseJson(nested(maxJsonDepth + 1), { anyKey: true }).ok).toBe(false)
  })

  it('takes exactly the allowed depth', () => {
    expect(parseJson(nested(maxJsonDepth)).ok).toBe(true)
    expect(parseJson(nested(maxJsonDepth + 1))).toEqual({ ok: false, error: 'nested deeper than 64 levels' })
  })

  it('does not count brackets in strings', () => {
    expect(parseJson(JSON.stringify({ a: `\\"${'['.repeat(200)}` })).ok).toBe(true)
    expect(parseJson(`["\\\\"${',['.repeat(70)}${']'.repeat(71)}`).ok).toBe(false)
  })

  it.each([
    ['lists', nested(50_000)],
    ['objects', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)],
    ['lists that never end', '['.repeat(50_000)],
  ])('58 tasks-json-depth-50k: %s are refused before they are parsed', (_, text) => {
    expect(parseJson(text)).toEqual({ ok: false, error: 'nested deeper than 64 levels' })
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    '108 settings-proto-pollution: a key %s is refused at any depth',
    (key) => {
      for (const text of [
        `{"${key}":{"polluted":1}}`,
        `[{"a":{"${key}":1}}]`,
        `{"\\u00${key.codePointAt(0)?.toString(16)}${key.slice(1)}":1}`,
      ]) {
        expect(parseJson(text), text).toEqual({ ok: false, error: `has a key named "${key}", which is not allowed` })
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

describe('isObject', () => {
  it('is neither null nor a list', () => {
    expect([{}, [], null, 'a', 1, undefined].map((value) => isObject(value))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('sameJson', () => {
  it('does not mind the order of keys, and minds the order of lists', () => {
    expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
    expect(sameJson([1, 2], [2, 1])).toBe(false)
  })

  it.each([
    [{ a: undefined }, { b: undefined }],
    [{}, []],
    [[], {}],
    [null, {}],
    [{ toString: 1 }, { valueOf: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    ['1', 1],
  ])('tells %j from %j', (a, b) => {
    expect(sameJson(a, b)).toBe(false)
  })

  it('agrees with itself and with a copy, and notices any change of a leaf', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(sameJson(value, JSON.parse(JSON.stringify(value)))).toBe(true)
        expect(sameJson([value], [value, value])).toBe(false)
        expect(sameJson({ value, other: 1 }, { value, other: 2 })).toBe(false)
      }),
    )
  })
})

describe('findRepeatedKey', () => {
  it.each([
    ['{"a":1,"a":2}', 'a', 1],
    ['{"a":1,\n"b":{"c":1},\n"\\u0061":2}', 'a', 3],
    ['[{"x":[1,{"k":1,\n"k":[]}]}]', 'k', 2],
    ['{"a":["a",{"a":1}],"b":"a","a":1}', 'a', 1],
  ])('%j', (text, key, line) => expect(findRepeatedKey(text)).toEqual({ key, line }))

  it('finds none in anything that was written from a value', () => {
    const tricky = fc.constantFrom('a', 'b', '"', '\\', '{', '}', ',', ':', '\n', '":{"a')
    const value = fc.object({ key: tricky, values: [tricky, fc.constant(1)], maxDepth: 4 })
    fc.assert(
      fc.property(value, (value) => {
        expect(findRepeatedKey(JSON.stringify(value, null, 1))).toBeNull()
      }),
    )
  })
})
