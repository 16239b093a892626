import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible, visibleJson, visibleLine } from '../../../src/base/visible.ts'

/** Everything that moves a cursor, hides, reorders or has no width of its own. */
// oxlint-disable-next-line no-misleading-character-class -- they stand beside each other in a list only
const dangerous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{34f}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{e0100}-\u{e01ef}]/u

describe('visible', () => {
  it.each([
    ['an escape sequence', '\u{1b}[31mred', '\\u{1b}[31mred'],
    ['a carriage return that overwrites', 'bad\rgood', 'bad\\u{d}good'],
    ['a C1 introducer', '\u{9b}2J', '\\u{9b}2J'],
    ['bidi reordering', 'a\u{202e}b', 'a\\u{202e}b'],
    ['a zero-width space', 'a\u{200b}b', 'a\\u{200b}b'],
    ['tag characters', '\u{e0041}', '\\u{e0041}'],
    ['a variation selector that carries data', '\u{e0100}', '\\u{e0100}'],
    ['a filler that looks like nothing', '\u{3164}\u{115f}', '\\u{3164}\\u{115f}'],
    ['half a character', '\ud83d', '\\u{d83d}'],
  ])('writes out %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it.each(['plain', 'two\nlines\tand a tab', 'äöü 漢字 עברית', '😀', 'e\u{301}'])('leaves %j alone', (text) => {
    expect(visible(text)).toBe(text)
  })

  it('leaves nothing dangerous in any text, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text)
        expect(shown.replaceAll(/[\n\t]/g, '')).not.toMatch(dangerous)
        expect(visible(shown)).toBe(shown)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('visibleLine', () => {
  it('is one line', () => {
    expect(visibleLine('a\nb\tc')).toBe('a\\nb\\tc')
  })

  it('is cut with an ellipsis, never inside a character', () => {
    expect(visibleLine('x'.repeat(200))).toBe('x'.repeat(200))
    expect(visibleLine('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`)
    expect(visibleLine('😀😀😀', 4)).toBe('😀…')
  })

  it('is never longer than asked, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
        const line = visibleLine(text, maxLength)
        expect(line.length).toBeLessThanOrEqual(maxLength)
        expect(line).not.toMatch(dangerous)
      }),
    )
  })
})

describe('visibleJson', () => {
  it('means the same and leaves nothing dangerous', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visibleJson(JSON.stringify({ text }, null, 2))
        expect(shown.replaceAll('\n', '')).not.toMatch(dangerous)
        expect(JSON.parse(shown)).toEqual({ text })
      }),
      { numRuns: 2000 },
    )
  })
})
