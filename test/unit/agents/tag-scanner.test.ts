import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TagScanner } from '../../../src/agents/tag-scanner.ts'
import { findTags } from '../../../src/base/find-tag.ts'

function scan(pieces: Iterable<string>, ignoreCase = false): string[] {
  const scanner = new TagScanner('promise', { ignoreCase })
  for (const piece of pieces) scanner.push(piece)
  return scanner.found
}

describe('TagScanner', () => {
  it('finds what a look at the whole text finds, however it is cut', () => {
    const word = fc.constantFrom(
      '<promise>',
      '</promise>',
      '<',
      '</',
      '<p',
      'promise>',
      'a',
      '>',
      '<PROMISE>',
      'ise>',
      '/',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 10 }), (words, points) => {
        const text = words.join('')
        const ends = [...points.map((point) => point % (text.length + 1)), text.length].toSorted((a, b) => a - b)
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
        const expected = findTags(text, 'promise')
        expect(scan(pieces)).toEqual(expected)
        expect(scan(text)).toEqual(expected)
      }),
    )
  })

  it.each([
    ['<Promise>x</PROMISE>', false, []],
    ['<Promise>x</PROMISE>', true, ['x']],
    ['<promise>\n  COMPLETE\n</promise>', false, ['COMPLETE']],
    ['<promise>a<b>c</promise>', false, ['a<b>c']],
  ])('finds in %j (any case: %s): %j', (text, ignoreCase, found) => {
    expect(scan([text], ignoreCase)).toEqual(found)
    expect(scan(text, ignoreCase)).toEqual(found)
  })

  it('has no use for contents that nobody can wait for', () => {
    expect(scan(['<promise>', 'x'.repeat(1001), '</promise><promise>y</promise>'])).toEqual(['y'])
  })

  it('keeps the same little memory, however much is said', () => {
    const scanner = new TagScanner('promise', { ignoreCase: false })
    for (let n = 0; n < 2000; n++) scanner.push(`<promise>${n}</promise>`)
    expect(scanner.found).toHaveLength(1000)
    expect(scanner.found.at(-1)).toBe('999')
  })

  // Linear work takes some 50 ms; quadratic would take minutes.
  it.each([
    ['only opened', '<promise>'],
    ['only closed', '</promise>'],
    ['opened and half closed', '<promise></promise'],
    ['begun', '<p'],
    ['bare brackets', '<'],
  ])('106 redos-tag-1mb: 1 MB of tags that are %s costs no time, nor does it character by character', (_, piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    for (const ignoreCase of [false, true]) {
      const start = performance.now()
      expect(scan([text], ignoreCase)).toEqual([])
      expect(scan(text.slice(0, 100_000), ignoreCase)).toEqual([])
      expect(performance.now() - start).toBeLessThan(3000)
    }
  })
})
