import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../../src/process/line-splitter.ts'

interface Seen {
  readonly text: string
  readonly dropped: number
}

const seen = (bytes: Buffer, dropped: number): Seen => ({ text: bytes.toString('latin1'), dropped })

function split(chunks: readonly Buffer[], cap?: number): Seen[] {
  const splitter = new LineSplitter(cap)
  const lines: Seen[] = []
  for (const chunk of chunks) {
    for (const line of splitter.push(chunk)) lines.push(seen(line.bytes, line.droppedBytes))
  }
  const last = splitter.end()
  return last === null ? lines : [...lines, seen(last.bytes, last.droppedBytes)]
}

/** The whole stream at once, in the plainest words. */
function reference(stream: Buffer, cap: number): Seen[] {
  const text = stream.toString('latin1').replace(/^\u00EF\u00BB\u00BF/, '')
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((raw) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    return { text: line.slice(0, cap), dropped: Math.max(0, line.length - cap) }
  })
}

function cut(stream: Buffer, points: readonly number[]): Buffer[] {
  const ends = [...points.map((point) => point % (stream.length + 1)), stream.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end))
}

const texts = (stream: string): string[] =>
  split([Buffer.from(stream)]).map((line) => Buffer.from(line.text, 'latin1').toString())

describe('LineSplitter', () => {
  it('gives the same lines as a split of the whole, however the stream is cut', () => {
    const byte = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0x0a, 0x0d, 0x00, 0xef, 0xbb, 0xbf, 0xe2, 0x80, 0xa8) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 255 }) },
    )
    const bom = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xef, 0xbb])
    fc.assert(
      fc.property(
        bom,
        fc.array(byte, { maxLength: 200 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        (start, bytes, points, cap) => {
          const stream = Buffer.from([...start, ...bytes])
          expect(split(cut(stream, points), cap)).toEqual(reference(stream, cap))
          expect(
            split(
              [...stream].map((one) => Buffer.from([one])),
              cap,
            ),
          ).toEqual(reference(stream, cap))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('keeps a character whole that two chunks share', () => {
    const bytes = Buffer.from('é€😀\n')
    const lines = split([bytes.subarray(0, 4), bytes.subarray(4, 6), bytes.subarray(6)])
    expect(lines.map((line) => Buffer.from(line.text, 'latin1').toString())).toEqual(['é€😀'])
  })

  it.each([
    ['keeps NUL bytes', 'a\0b\n', ['a\0b']],
    ['takes one carriage return off the end', 'a\r\nb\r\r\n\r\n', ['a', 'b\r', '']],
    ['keeps a carriage return inside a line', 'a\rb\n', ['a\rb']],
    ['gives the last line without a line end', 'a\nb', ['a', 'b']],
    ['gives no line for an end of stream after a line end', 'a\n', ['a']],
    [
      'does not split at U+2028, U+2029, U+0085 or a form feed',
      'a\u2028b\u2029c\u0085d\fe\n',
      ['a\u2028b\u2029c\u0085d\fe'],
    ],
    ['takes a byte order mark off the start of the stream only', '\uFEFFa\n\uFEFFb\n', ['a', '\uFEFFb']],
    ['keeps empty lines', '\n\na\n', ['', '', 'a']],
    ['gives nothing for nothing', '', []],
  ])('%s', (_, stream, lines) => {
    expect(texts(stream)).toEqual(lines)
  })

  it('drops what is past the cap, says how much, and goes on with the next line', () => {
    expect(split([Buffer.from('abcdef\r\nok\n')], 4)).toEqual([
      { text: 'abcd', dropped: 2 },
      { text: 'ok', dropped: 0 },
    ])
  })

  it('does not count the line end against the cap', () => {
    expect(split([Buffer.from('abcd\r'), Buffer.from('\n')], 4)).toEqual([{ text: 'abcd', dropped: 0 }])
  })

  it('hands out lines that stay as they are when more is pushed', () => {
    const splitter = new LineSplitter()
    const kept = [...splitter.push(Buffer.from('fir')), ...splitter.push(Buffer.from('st\nsec'))]
    kept.push(...splitter.push(Buffer.from('ond\nthird\n')))
    expect(kept.map((line) => line.bytes.toString())).toEqual(['first', 'second', 'third'])
  })

  it('is linear in the length of a line that comes in small pieces', () => {
    const piece = Buffer.alloc(16, 'x')
    const time = (pieces: number): number => {
      const splitter = new LineSplitter()
      const startedAt = performance.now()
      for (let index = 0; index < pieces; index++) for (const line of splitter.push(piece)) expect(line).toBe(null)
      return performance.now() - startedAt
    }
    time(10_000)
    const small = Math.max(time(50_000), 1)
    // Sixteen times the input; quadratic would be 256 times as slow.
    expect(time(800_000)).toBeLessThan(small * 100)
  })
})
