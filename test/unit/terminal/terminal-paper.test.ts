import { describe, expect, it } from 'vitest'
import { runnerLine } from '../../../src/terminal/line.ts'
import { fineSymbols } from '../../../src/terminal/symbols.ts'
import { terminalPaper } from '../../../src/terminal/terminal-paper.ts'
import { fakeScreen } from '../../support/fake-screen.ts'
import { tinyTerminal } from '../../support/tiny-terminal.ts'

function open(columns: number, { color = false } = {}) {
  const terminal = tinyTerminal(columns)
  const screen = { ...fakeScreen({ columns }), write: (text: string) => terminal.write(text) }
  let width = columns
  const paper = terminalPaper({ ...screen, columns: () => width }, { symbols: fineSymbols, color })
  return {
    paper,
    terminal,
    say: (text: string, status: string | null) => paper.print([runnerLine(text, { indent: 0 })], 0, status),
    resize: (columns: number) => {
      width = columns
      terminal.resize(columns)
    },
  }
}

describe('the status line', () => {
  it('stays below the lines that scroll', () => {
    const { terminal, say } = open(40)
    say('one', null)
    say('two', 'status 1')
    say('three', 'status 2')
    expect(terminal.rows()).toEqual(['one', 'two', 'three', ' status 2'])
  })

  it('is rewritten in place, also when it becomes shorter', () => {
    const { terminal, paper, say } = open(40)
    say('one', 'a long status')
    paper.status('short')
    expect(terminal.rows()).toEqual(['one', ' short'])
  })

  it('leaves nothing when it is taken away, and the cursor where the next line begins', () => {
    const { terminal, paper, say } = open(40)
    say('one', 'status')
    paper.status(null)
    expect(terminal.rows()).toEqual(['one', ''])
    expect(terminal.cursor()).toEqual({ row: 1, column: 0 })
  })

  it('is cut before the last column, on the narrowest terminal too', () => {
    for (const columns of [20, 8, 3, 2]) {
      const { terminal, paper } = open(columns)
      paper.status('a status that is longer than any of these')
      expect(terminal.rows()).toHaveLength(1)
      expect(terminal.rows()[0]?.length).toBeLessThan(columns)
    }
  })

  it('survives an echoed ^C', () => {
    const { terminal, say } = open(20)
    say('one', 'a status that fills the line')
    terminal.write('^C')
    say('stopping', null)
    expect(terminal.rows()).toEqual(['one', 'stopping', ''])
  })

  it('leaves no remains when the terminal is made narrower and wraps it', () => {
    const { terminal, say, resize } = open(60)
    const status = 'iteration 3 of 15, review, US-002, 2 min 3 s, 4/10 done'
    say('one', status)
    resize(20)
    say('two', status)
    say('three', status)
    say('four', null)
    expect(terminal.rows().slice(0, 4)).toEqual(['one', 'two', 'three', 'four'])
    expect(terminal.rows().slice(4).join('')).toBe('')
  })

  it('takes the room that it gets when the terminal is made wider', () => {
    const { terminal, paper, resize } = open(12)
    paper.status('one two three four')
    expect(terminal.rows()).toEqual([' one two t…'])
    resize(30)
    paper.status('one two three four')
    expect(terminal.rows()).toEqual([' one two three four'])
  })

  it('is dim where there is colour, and nothing else is changed', () => {
    const screen = fakeScreen()
    terminalPaper(screen, { symbols: fineSymbols, color: true }).status('status')
    expect(screen.writes).toEqual(['\r\u{1b}[K\u{1b}[2m status\u{1b}[22m\r'])
  })

  it('is not written again while it says the same', () => {
    const screen = fakeScreen()
    const paper = terminalPaper(screen, { symbols: fineSymbols, color: false })
    paper.status('status')
    paper.status('status')
    paper.print([], 0, 'status')
    expect(screen.writes).toHaveLength(1)
  })
})

describe('lines', () => {
  it('come without any sequence while there was no status', () => {
    const screen = fakeScreen()
    terminalPaper(screen, { symbols: fineSymbols, color: false }).print([runnerLine('one', { mark: 'ok' })], 0, null)
    expect(screen.writes).toEqual(['  ✓ one\n'])
  })

  it('are wrapped by us, below where they began', () => {
    const { terminal, paper } = open(24)
    paper.print([runnerLine('waiting for the usage limit', { mark: 'attention' })], 0, null)
    expect(terminal.rows()).toEqual(['  ! waiting for the', '    usage limit', ''])
  })

  it('take a terminal that does not know its width for an ordinary one', () => {
    const screen = fakeScreen({ columns: 0 })
    terminalPaper(screen, { symbols: fineSymbols, color: false }).status('x'.repeat(200))
    expect(screen.text()).toBe(`\r\u{1b}[K ${'x'.repeat(77)}…\r`)
  })
})
