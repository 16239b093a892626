import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleLine } from '../../../src/base/visible.ts'
import { textWidth } from '../../../src/terminal/text-width.ts'
import { wrapText } from '../../../src/terminal/wrap-text.ts'
import { hostileText, seeded } from '../../support/hostile-text.ts'

describe('wrapping', () => {
  it.each<[string, string, number, string[]]>([
    ['leaves alone what fits', 'one two', 7, ['one two']],
    ['breaks at spaces', 'one two three', 8, ['one two', 'three']],
    ['breaks where a word ends at the edge', 'one two', 3, ['one', 'two']],
    ['breaks a word that is longer than a line', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['begins a long word on the line where there is one', 'a bcdefgh', 4, ['a', 'bcde', 'fgh']],
    ['keeps the indentation of the first line', '    one two', 8, ['    one', 'two']],
    ['keeps indented words whole', '  abcdef', 4, ['  ab', 'cdef']],
    ['drops spaces at a break', 'one     two', 4, ['one', 'two']],
    ['keeps blanks that are no spaces', 'ab\u{3000}cd', 4, ['ab\u{3000}', 'cd']],
    ['knows wide characters', '漢字 漢字', 5, ['漢字', '漢字']],
    ['makes nothing of nothing', '', 5, ['']],
  ])('%s', (_, text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines)
  })

  it('loses no ink, and no line is wider than asked', () => {
    const ink = (text: string) => text.replaceAll(' ', '')
    const words = fc.string({ unit: fc.constantFrom(' ', 'a', 'b', 'é', '漢', '😀', '❤️', '#'), maxLength: 80 })
    fc.assert(
      fc.property(fc.oneof(words, hostileText), fc.integer({ min: 2, max: 30 }), (raw, width) => {
        const text = visibleLine(raw, 400)
        const lines = wrapText(text, width)
        expect(ink(lines.join(''))).toBe(ink(text))
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
      }),
      seeded(500),
    )
  })
})
