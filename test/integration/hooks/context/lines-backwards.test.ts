import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesBackwards, type Bounds } from '../../../../src/hooks/context/lines-backwards.ts'
import { scratch } from '../../../support/scratch.ts'

const wide: Bounds = { maxLine: 1000, maxBytes: 10_000, maxLines: 1000, firstChunk: 3, chunk: 5 }

function read(text: string, bounds: Partial<Bounds> = {}, path = join(scratch(), 'file')) {
  writeFileSync(path, text)
  const fd = openSync(path, 'r')
  try {
    const lines = linesBackwards(fd, Buffer.byteLength(text), { ...wide, ...bounds })
    const found: { text: string; start: number }[] = []
    for (;;) {
      const next = lines.next()
      if (next.done === true) return { found, isWhole: next.value }
      found.push({ text: next.value.text, start: next.value.start })
    }
  } finally {
    closeSync(fd)
  }
}
const texts = (result: ReturnType<typeof read>): string[] => result.found.map(({ text }) => text)

describe('linesBackwards', () => {
  it('gives every line, whatever the size of what is read at a time', () => {
    const path = join(scratch(), 'file')
    const line = fc.string({ unit: fc.constantFrom('a', 'ä', '😀', ' '), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (lines, a, b) => {
        const text = lines.join('\n')
        const result = read(text, { firstChunk: a, chunk: b }, path)
        expect(result.isWhole).toBe(true)
        expect(texts(result)).toEqual(text.split('\n').toReversed())
        for (const { text: found, start } of result.found) {
          expect(Buffer.from(text).subarray(start).toString('utf8').startsWith(found)).toBe(true)
        }
      }),
    )
  })

  it('passes over a line that is too long, wherever it is', () => {
    const long = 'x'.repeat(30)
    expect(texts(read(`a\n${long}\nb\n`, { maxLine: 20 }))).toEqual(['', 'b', 'a'])
    expect(texts(read(`${long}\na`, { maxLine: 20 }))).toEqual(['a'])
    expect(texts(read(`a\n${long}`, { maxLine: 20 }))).toEqual(['a'])
  })

  it('stops where it has read enough, or has seen lines enough', () => {
    expect(read('a\nb\nc\nd\ne\nf', { maxBytes: 8 })).toMatchObject({ isWhole: false })
    expect(texts(read('a\nb\nc\nd\ne\nf', { maxLines: 2 }))).toEqual(['f', 'e'])
  })

  it('ends where the file has become shorter meanwhile', () => {
    const path = join(scratch(), 'file')
    writeFileSync(path, 'one\ntwo\nthree\n')
    const fd = openSync(path, 'r')
    const lines = linesBackwards(fd, 14, wide)
    expect(lines.next().value).toMatchObject({ start: 14 })
    truncateSync(path, 2)
    expect([...lines].length).toBeLessThanOrEqual(1)
    closeSync(fd)
  })
})
