import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible } from '../../../src/base/visible.ts'
import { cutToWidth, textWidth } from '../../../src/terminal/text-width.ts'
import { hostileText, seeded } from '../../support/hostile-text.ts'

describe('the width of', () => {
  it.each([
    ['nothing', '', 0],
    ['ASCII', 'abc', 3],
    ['Latin, Greek, Cyrillic', 'äΩж', 3],
    ['Chinese', '漢字', 4],
    ['Japanese', 'かなカナ', 8],
    ['Korean', '한글', 4],
    ['full-width letters', 'ＡＢ', 4],
    ['half-width katakana', 'ｱｲ', 2],
    ['an emoji', '😀', 2],
    ['an emoji of the first plane', '✅', 2],
    ['a sign that a selector makes an emoji', '❤️', 2],
    ['the same sign as text', '❤', 1],
    ['a letter with an accent of its own', 'e\u{301}', 1],
    ['our own signs', '✓✗→─·…', 6],
    ['a character of the third plane', '\u{30000}', 2],
  ])('%s', (_, text, width) => {
    expect(textWidth(text)).toBe(width)
  })
})

describe('cutting', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['漢字漢', 5, '漢字…'],
    ['漢字漢', 4, '漢…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['e\u{301}e\u{301}e\u{301}', 2, 'e\u{301}…'],
  ])('%s to %d columns', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut)
  })

  it('never gives more than asked, and keeps what fits', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 0, max: 40 }), (raw, width) => {
        const text = visible(raw)
        const cut = cutToWidth(text, width)
        expect(textWidth(cut)).toBeLessThanOrEqual(width)
        if (textWidth(text) <= width) expect(cut).toBe(text)
        expect(visible(cut)).toBe(cut)
      }),
      seeded(500),
    )
  })
})

it('cuts with other signs where those are wanted', () => {
  expect(cutToWidth('abcdef', 5, '...')).toBe('ab...')
  expect(cutToWidth('abcdef', 2, '...')).toBe('')
  expect(cutToWidth('abc', 3, '...')).toBe('abc')
})
