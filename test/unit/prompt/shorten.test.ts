import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible } from '../../../src/base/visible.ts'
import { shorten } from '../../../src/prompt/shorten.ts'

const mark = (count: number) => `[… ${count} characters left out …]`

describe('shorten', () => {
  it('leaves a text alone that is short enough', () => {
    expect(shorten('x'.repeat(100), 100)).toEqual({ text: 'x'.repeat(100), omittedChars: 0 })
  })

  it('keeps the beginning and the end, and names how much is missing between them', () => {
    expect(shorten(`begin${'x'.repeat(1000)}end`, 10)).toEqual({
      text: `begin\n${mark(998)}\nxxend`,
      omittedChars: 998,
    })
  })

  it('cuts between lines where one ends nearby', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line number ${100 + index}`).join('\n')
    const { text } = shorten(lines, 400)
    expect(text.split('\n').filter((line) => !line.startsWith('[…'))).toSatisfy((shown: string[]) =>
      shown.every((line) => /^line number \d{3}$/.test(line)),
    )
  })

  it('does not show half of a character as one that was never there', () => {
    expect(shorten('😀'.repeat(50), 7).text).toBe(`😀😀\n${mark(94)}\n😀`)
  })

  it('counts what escaping adds: a text of invisible characters is no longer than another', () => {
    const { text, omittedChars } = shorten('\u{202e}'.repeat(100), 100)
    expect(text).toBe(`${'\\u{202e}'.repeat(6)}\n${mark(88)}\n${'\\u{202e}'.repeat(6)}`)
    expect(omittedChars).toBe(88)
  })

  it('shows nothing where nothing is allowed', () => {
    expect(shorten('abc', 0)).toEqual({ text: mark(3), omittedChars: 3 })
  })

  it('is never longer than asked but for the line that says so, and what it says adds up', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '😀', '\u{202e}', '\ud83d', 'ä'), maxLength: 200 }),
        fc.nat(120),
        (raw, maxChars) => {
          const { text, omittedChars } = shorten(raw, maxChars)
          if (omittedChars === 0) {
            expect(text).toBe(visible(raw))
            return
          }
          const [head = '', tail = ''] = text.split(mark(omittedChars))
          const kept = head.replace(/\n$/, '').length + tail.replace(/^\n/, '').length
          expect(kept).toBeLessThanOrEqual(maxChars)
          expect(visible(raw).startsWith(head.replace(/\n$/, ''))).toBe(true)
          expect(visible(raw).endsWith(tail.replace(/^\n/, ''))).toBe(true)
          expect(omittedChars).toBeLessThanOrEqual(raw.length)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
