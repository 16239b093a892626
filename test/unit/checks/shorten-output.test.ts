import { describe, expect, it } from 'vitest'
import { OutputEnds } from '../../../src/checks/output-ends.ts'
import { endBytesFor, shortenOutput } from '../../../src/checks/shorten-output.ts'

function shorten(text: string, maxChars: number, endBytes = endBytesFor(maxChars)): string {
  const output = new OutputEnds(endBytes)
  for (const line of text.split('\n')) output.line(Buffer.from(line))
  return shortenOutput(output.ends(), maxChars)
}

describe('shortenOutput', () => {
  it('leaves a short output alone but for its last line feed', () => {
    expect(shorten('a\n\nb', 100)).toBe('a\n\nb')
    expect(shorten('', 100)).toBe('')
  })

  it('keeps a third from the beginning and the rest from the end, and says what is missing', () => {
    const text = Array.from({ length: 100 }, (_, index) => String(index).padStart(9, '.')).join('\n')
    const short = shorten(text, 90)
    expect(short).toBe(
      [
        '........0\n........1\n........2\n',
        '[… 910 bytes left out …]',
        '\n.......94\n.......95\n.......96\n.......97\n.......98\n.......99',
      ].join('\n'),
    )
  })

  it('has the end of an output that is too long for memory', () => {
    const short = shorten(`begin${'x'.repeat(500_000)}end`, 60)
    expect(short).toMatch(/^beginx{15}\n\[… \d+ bytes left out …\]\nx{37}end$/)
    expect(short).toContain(`[… ${500_009 - 60} bytes left out …]`)
  })

  it('breaks no character, wherever it is cut', () => {
    for (const character of ['é', '漢', '🎉']) {
      for (let shift = 0; shift < 4; shift++) {
        const text = 'x'.repeat(shift) + character.repeat(60_000)
        for (const endBytes of [endBytesFor(21), 25_001]) {
          expect(shorten(text, 21, endBytes)).not.toMatch(/[\ufffd\ud800-\udfff]/u)
        }
      }
    }
  })

  it('spends no room on colours', () => {
    expect(shorten('\u{1b}[31mred\u{1b}[0m \u{1b}[38;5;4mblue\u{1b}[m', 9)).toBe('red blue')
  })

  it('leaves other control characters to whoever shows it', () => {
    expect(shorten('a\u{1b}]52;c;x\u{7}b\r', 100)).toBe('a\u{1b}]52;c;x\u{7}b\r')
  })

  it('can be asked for nothing', () => {
    expect(shorten('abc', 0)).toBe('\n[… 4 bytes left out …]\n')
  })

  it('does not count below zero for what is no text', () => {
    const output = new OutputEnds(endBytesFor(10))
    output.line(Buffer.alloc(11, 0xff))
    expect(shortenOutput(output.ends(), 10)).toContain('[… 0 bytes left out …]')
  })
})
