import { describe, expect, it } from 'vitest'
import { cutText, errorLine, firstLine, lastLine } from '../../../src/agents/cut-text.ts'

describe('cutText', () => {
  it('leaves alone what is short enough', () => {
    expect(cutText('12345', 5)).toBe('12345')
  })

  it('keeps beginning and end, and says how much is missing', () => {
    expect(cutText('1234567890', 4)).toBe('12\n… 6 characters left out …\n90')
  })
})

describe('firstLine', () => {
  it.each([
    ['one\ntwo', 'one'],
    ['\n\n  one  \r\ntwo', 'one'],
    ['  \n ', ''],
    ['', ''],
    ['x'.repeat(500), 'x'.repeat(300)],
  ])('of %j is %j', (text, line) => {
    expect(firstLine(text)).toBe(line)
  })
})

describe('lastLine', () => {
  it.each([
    ['one\ntwo\n\n', 'two'],
    ['one', 'one'],
    ['\n', ''],
  ])('of %j is %j', (text, line) => {
    expect(lastLine(text)).toBe(line)
  })
})

describe('errorLine', () => {
  it.each([
    [
      'node:internal/errors:984\n  const err = new Error(m)\n\nError: Command failed: git\n    at x:1\n\nNode.js v22',
      'Error: Command failed: git',
    ],
    ['TypeError [ERR_X]: no such thing\n', 'TypeError [ERR_X]: no such thing'],
    ['fatal: not a git repository\n', 'fatal: not a git repository'],
    ['Traceback (most recent call last):\n  File "x"\nValueError: bad\n', 'ValueError: bad'],
    ['something went wrong\n', ''],
    ['', ''],
  ])('of %j is %j', (text, line) => {
    expect(errorLine(text)).toBe(line)
  })
})
