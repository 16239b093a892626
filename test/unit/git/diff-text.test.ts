import fc from 'fast-check'
import { expect, it } from 'vitest'
import { headAndTail } from '../../../src/git/diff-text.ts'

it('a text that fits is left alone', () => {
  expect(headAndTail(Buffer.from('a\nb\n'), 4)).toEqual({ text: 'a\nb\n', omittedBytes: 0 })
})

it('a longer one keeps whole lines of both ends and says how much is missing', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join('')
  const cut = headAndTail(Buffer.from(text), 100)
  expect(cut.text.startsWith('line 0\nline 1\n')).toBe(true)
  expect(cut.text.endsWith('line 98\nline 99\n')).toBe(true)
  expect(cut.text).toContain(`[… ${cut.omittedBytes} bytes left out …]`)
})

it('never splits a character, never keeps more than asked for, and counts every byte', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(100), (text, maxBytes) => {
      const bytes = Buffer.from(text)
      const { text: cut, omittedBytes } = headAndTail(bytes, maxBytes)
      expect(cut.includes('\u{fffd}') && !text.includes('\u{fffd}')).toBe(false)
      if (bytes.length <= maxBytes) return
      const kept = Buffer.byteLength(cut) - Buffer.byteLength(`\n[… ${omittedBytes} bytes left out …]\n`)
      expect(kept + omittedBytes).toBe(bytes.length)
      expect(kept).toBeLessThanOrEqual(maxBytes + 6)
    }),
  )
})
