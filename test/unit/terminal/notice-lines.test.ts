import { describe, expect, it } from 'vitest'
import type { Notice } from '../../../src/model/notice.ts'
import { layOut } from '../../../src/terminal/lay-out.ts'
import type { Line } from '../../../src/terminal/line.ts'
import { noticeLines, toolLines } from '../../../src/terminal/notice-lines.ts'
import { fineSymbols } from '../../../src/terminal/symbols.ts'

const look = (lines: Line[]) => lines.flatMap((line) => layOut(line, 60, { symbols: fineSymbols, color: false }))
const call = { verb: 'Bash', target: 'npm test', ok: true, tookMs: 1234, output: 'fine' }

describe('a tool call', () => {
  it('that went well is one line', () => {
    expect(look(toolLines(call, false))).toEqual(['    ✓ Bash npm test 1.2 s'])
  })

  it('that failed shows the end of what it said', () => {
    const output = ['1', '2', '3', '', '', '4', '5', 'Error: no', '', ''].join('\n')
    expect(look(toolLines({ ...call, ok: false, output }, false))).toEqual([
      '    ✗ Bash npm test 1.2 s',
      '        (2 lines before)',
      '        3',
      '',
      '        4',
      '        5',
      '        Error: no',
    ])
  })

  it('that failed without a word is one line', () => {
    expect(look(toolLines({ ...call, ok: false, output: ' \n' }, false))).toEqual(['    ✗ Bash npm test 1.2 s'])
  })

  it('shows all that it said when everything is wanted', () => {
    const output = Array.from({ length: 9 }, (_, n) => `${n}`).join('\r\n')
    expect(look(toolLines({ ...call, output }, true))).toEqual([
      '    ✓ Bash npm test 1.2 s',
      ...Array.from({ length: 9 }, (_, n) => `        ${n}`),
    ])
  })

  it('keeps its time when its target is too long, and is one line whatever the target is', () => {
    expect(look(toolLines({ ...call, target: `cat <<EOF\n${'x'.repeat(100)}\nEOF` }, false))).toEqual([
      `    ✓ Bash cat <<EOF\\n${'x'.repeat(31)}… 1.2 s`,
    ])
  })

  it('that did not end says so', () => {
    expect(look(toolLines({ ...call, ok: null, output: '' }, false))).toEqual([
      '    ✗ Bash npm test did not end (1.2 s)',
    ])
  })
})

describe('what an agent says', () => {
  const shown = (notice: Parameters<typeof noticeLines>[0]) => look(noticeLines(notice))

  it('is indented, wrapped, and keeps its paragraphs and its own indentation', () => {
    const text = '\n\nI will look at the tests first, and then at the code they cover.\n\n\n\tconst a = 1\n\n'
    expect(shown({ kind: 'agent.text', text })).toEqual([
      '    I will look at the tests first, and then at the code',
      '    they cover.',
      '',
      '      const a = 1',
    ])
  })

  it('is nothing if it is blank', () => {
    expect(shown({ kind: 'agent.text', text: ' \n\r\n\t' })).toEqual([])
  })

  it('about itself is marked', () => {
    expect(shown({ kind: 'agent.remark', text: 'trying again' })).toEqual(['    ! trying again'])
  })
})

describe('a todo list', () => {
  const todo: Extract<Notice, { kind: 'agent.todo' }> = {
    kind: 'agent.todo',
    items: [
      { text: 'Read', state: 'completed' },
      { text: 'Write', state: 'in_progress' },
      { text: 'Test', state: 'pending' },
    ],
  }

  it('is one line, and all of it only when everything is wanted', () => {
    const lines = noticeLines(todo)
    expect(look(lines)).toEqual(['    todo 1/3, now: Write', '      ✓ Read', '      ! Write', '      ○ Test'])
    expect(lines.map(({ level }) => level)).toEqual(['normal', 'verbose', 'verbose', 'verbose'])
  })

  it('of nothing is nothing', () => {
    expect(noticeLines({ kind: 'agent.todo', items: [] })).toEqual([])
  })
})
