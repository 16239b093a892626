import { describe, expect, it } from 'vitest'
import { layOut, layOutPlain, withoutCommands } from '../../../src/terminal/lay-out.ts'
import { agentLine, runnerLine, summaryLine } from '../../../src/terminal/line.ts'
import { fineSymbols, plainSymbols } from '../../../src/terminal/symbols.ts'

const fine = { symbols: fineSymbols, color: false }
const colored = { symbols: fineSymbols, color: true }
const ascii = { symbols: plainSymbols, color: false }

describe('a line on a terminal', () => {
  it('has its colour around the words only, on each line that it takes', () => {
    expect(layOut(runnerLine('one two', { mark: 'fail', tone: 'bad' }), 12, colored)).toEqual([
      '  \u{1b}[31m✗\u{1b}[39m \u{1b}[31mone two\u{1b}[39m',
    ])
    expect(layOut(runnerLine('one two three', { tone: 'dim' }), 12, colored)).toEqual([
      '  \u{1b}[2mone two\u{1b}[22m',
      '  \u{1b}[2mthree\u{1b}[22m',
    ])
  })

  it('shows what would act, and acts on nothing', () => {
    expect(layOut(runnerLine('\u{1b}[31mred\r\n'), 80, fine)).toEqual([String.raw`  \u{1b}[31mred\u{d}\n`])
  })

  it('is cut or wrapped as it wants, or left whole to be copied', () => {
    const text = 'one two three four'
    expect(layOut(runnerLine(text, { indent: 0, fit: 'cut' }), 10, fine)).toEqual(['one two t…'])
    expect(layOut(runnerLine(text, { indent: 0, fit: 'wrap' }), 10, fine)).toEqual(['one two', 'three four'])
    expect(layOut(runnerLine(text, { indent: 0, fit: 'whole' }), 10, fine)).toEqual([text])
  })

  it('has no end where its words would have no room beside it', () => {
    expect(layOut(runnerLine('one two three', { indent: 0, fit: 'cut', tail: '3 min 20 s' }), 16, fine)).toEqual([
      'one two three',
    ])
  })

  it('has signs of one width in the summary', () => {
    const lines = (['ok', 'fail'] as const).flatMap((mark) => layOut(summaryLine('x', { mark }), 20, ascii))
    expect(lines).toEqual(['[ok] x', '[x]  x'])
  })
})

describe('a line without a terminal', () => {
  it('has its time if it is the runner that speaks', () => {
    expect(layOutPlain(runnerLine('npm test 1.2 s', { mark: 'ok' }), '02:15:00', fine)).toBe(
      '02:15:00 ✓ npm test 1.2 s',
    )
  })

  it('is set off if it is the agent', () => {
    expect(layOutPlain(agentLine('::set-output name=x::y'), '02:15:00', fine)).toBe('  | ::set-output name=x::y')
    expect(layOutPlain(agentLine('deep', { indent: 8 }), '02:15:00', fine)).toBe('  |     deep')
    expect(layOutPlain(agentLine(''), '02:15:00', fine)).toBe('  |')
  })

  it('has never colour, and is never wrapped', () => {
    const text = 'word '.repeat(100).trim()
    expect(layOutPlain(runnerLine(text, { tone: 'bad' }), 'T', colored)).toBe(`T ${text}`)
  })
})

describe('commands to a build server inside a line', () => {
  it.each([
    ['##[add-mask]x', String.raw`#\u{23}[add-mask]x`],
    ['a ##vso[task.x]b', String.raw`a #\u{23}vso[task.x]b`],
    ['###[x]', String.raw`##\u{23}[x]`],
    ['##### A heading [1]', '##### A heading [1]'],
    ['a[0] # [x]', 'a[0] # [x]'],
  ])('%s is written %s', (text, written) => {
    expect(withoutCommands(text)).toBe(written)
    expect(withoutCommands(text)).not.toMatch(/##[\w.-]*\[/)
  })
})
