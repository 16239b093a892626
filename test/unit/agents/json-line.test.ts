import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLine, parseMember, peekString } from '../../../src/agents/json-line.ts'

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const peek = (text: string, ...path: string[]) => peekString(Buffer.from(text), ...path)

describe('peekString', () => {
  it.each([
    ['{"type":"user"}', ['type'], 'user'],
    [' { "a" : [1, {"type":"x"}, "}"] , "type" : "user" } ', ['type'], 'user'],
    ['{"a":"\\"type\\":\\"no\\"","b":{"type":"no"},"c":-1.5e3,"d":null,"type":"user"}', ['type'], 'user'],
    ['{"item":{"id":"1","type":"error"}}', ['item', 'type'], 'error'],
    ['{"type":"user","item":{"type":"error"}}', ['item', 'type'], 'error'],
    ['{"type":7}', ['type'], null],
    ['{"type":{"type":"user"}}', ['type'], null],
    ['{"typ\\u0065":"user"}', ['type'], null],
    ['{"type":"us\\u0065r"}', ['type'], null],
    ['{"type":"user', ['type'], null],
    ['{"type"', ['type'], null],
    ['{"a":"', ['type'], null],
    ['{"a":[[[', ['type'], null],
    ['{a:1,"type":"user"}', ['type'], null],
    ['["type","user"]', ['type'], null],
    ['"type"', ['type'], null],
    ['{}', ['type'], null],
    ['', ['type'], null],
    ['x{"type":"user"}', ['type'], null],
    [`{"type":"${'x'.repeat(65)}"}`, ['type'], null],
  ])('finds in %s at %j: %j', (text, path, found) => {
    expect(peek(text, ...path)).toBe(found)
  })

  it('finds the first of a key in any JSON object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        fc.nat({ max: 4 }),
        (object, position, space) => {
          const entries = Object.entries(object).filter(([key]) => key !== 'type' && key !== '__proto__')
          entries.splice(position % (entries.length + 1), 0, ['type', 'user'])
          const text = JSON.stringify(Object.fromEntries(entries), null, space).replaceAll('\n', ' ')
          expect(peek(text, 'type')).toBe('user')
        },
      ),
    )
  })

  it('looks no further than it has to', () => {
    expect(peek('{"type":"user",this is not JSON', 'type')).toBe('user')
  })
})

describe('parseLine', () => {
  it.each(['', 'null', '1', '[]', '"x"', '{', '{"a":}', '\u0000'])('takes %j for no line', (text) => {
    expect(parseLine(Buffer.from(text))).toBeNull()
  })

  it('gives what JSON.parse gives, when nothing is too long', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const text = JSON.stringify(object)
        expect(parseLine(Buffer.from(text))).toEqual(JSON.parse(text))
        expect(parseLine(Buffer.from(text), text.length * 8 + 8)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['raw', JSON.stringify],
    ['escaped', (value: unknown) => JSON.stringify(value).replaceAll(/[^\0-\x7f]/g, escaped)],
  ] as const)('leaves out the middle of long %s strings, never half a character or half an escape', (_, encode) => {
    const character = fc.constantFrom(
      '"',
      '\\',
      '\u0001',
      'u',
      'n',
      'a',
      '0',
      'é',
      '€',
      '🎉',
      '\n',
      '\u{2028}',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(character, { maxLength: 400 }), fc.integer({ min: 20, max: 100 }), (characters, max) => {
        const text = characters.join('')
        const parsed = parseLine(Buffer.from(encode({ before: 1, text, after: [text, true] })), max)
        expect(parsed).toMatchObject({ before: 1, after: [parsed?.['text'], true] })
        const shown = parsed?.['text'] as string
        if (shown === text) return
        const [head = '', tail = ''] = shown.split('\n…\n')
        expect(text.startsWith(head)).toBe(true)
        expect(text.endsWith(tail)).toBe(true)
        expect(encode(shown).length).toBeLessThan(max + 40)
      }),
    )
  })

  it.each(['\\', '"', 'a\\\\u', '\u0001'])('leaves out the middle of a string of nothing but %j', (piece) => {
    const parsed = parseLine(Buffer.from(JSON.stringify({ text: piece.repeat(1000) })), 100)
    expect((parsed?.['text'] as string | undefined)?.length).toBeLessThan(120)
  })

  it('does not stumble over a line that is nested as deep as it is long', () => {
    const text = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(parseLine(Buffer.from(text), 100)).toHaveProperty('a')
    expect(parseLine(Buffer.from(text.slice(0, -5)), 100)).toBeNull()
  })
})

describe('parseMember', () => {
  it('parses one object and does not look at what comes behind it', () => {
    const line = Buffer.from('{"type":"user","message":{"a":["x",{"b":"}"}]},"rest":"is cut o')
    expect(parseMember(line, 'message', 100)).toEqual({ a: ['x', { b: '}' }] })
  })

  it.each(['{"message":[1]}', '{"message":"x"}', '{"message":null}', '{"message":{"a":"x', '{"message":', '{}', 'x'])(
    'finds none in %s',
    (text) => {
      expect(parseMember(Buffer.from(text), 'message', 100)).toBeNull()
    },
  )
})
