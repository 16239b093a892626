import { describe, expect, it } from 'vitest'
import { TextReader } from '../../../src/agents/text-stream.ts'
import { exited, play } from '../../support/play-stream.ts'

const read = (text: string, exit = exited(0)) => play(new TextReader(), [Buffer.from(text)], exit)

describe('TextReader', () => {
  it('takes every line for what the assistant says', () => {
    const { notices } = read('one\n\n{"type":"result"}\n')
    expect(notices).toEqual(['one', '', '{"type":"result"}'].map((text) => ({ kind: 'agent.text', text })))
  })

  it('finds a tag over several lines', () => {
    expect(read('<promise>\nALL\nDONE\n</promise>').report.promises).toEqual(['ALL\nDONE'])
  })

  it('knows no cost and no tokens', () => {
    expect(read('x').report).toMatchObject({ outcome: 'succeeded', costUsd: null, tokens: null })
  })

  it.each(['', '\n\n', '  \n'])('takes %j for an empty answer', (text) => {
    expect(read(text).report.outcome).toBe('empty')
  })

  it.each([
    [exited(7, 'Traceback\n  File x\nValueError: no key\n'), 'exited with 7: ValueError: no key'],
    [exited(1), 'exited with 1'],
    [{ ...exited(0), exitCode: null, signal: 'SIGSEGV' }, 'was ended by SIGSEGV'],
  ])('says why it failed', (exit, message) => {
    expect(read('x', exit).report).toMatchObject({ outcome: 'failed', message })
  })
})
