import { describe, expect, it } from 'vitest'
import { cutText, firstLine, lastLine } from '../../../src/agents/cut-text.ts'

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
