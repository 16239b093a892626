import { describe, expect, it } from 'vitest'
import { DeltaText } from '../../../src/agents/delta-text.ts'

describe('DeltaText', () => {
  it('gives whole lines, and the rest when it is asked for', () => {
    const text = new DeltaText()
    expect(['one', ' two\nth', 'ree\nfour\nfi', 've'].map((piece) => text.push(piece))).toEqual([
      '',
      'one two',
      'three\nfour',
      '',
    ])
    expect([text.take(), text.take()]).toEqual(['five', ''])
  })

  it('loses nothing of a line that does not end, and holds little of it', () => {
    const text = new DeltaText()
    const pieces = Array.from({ length: 1000 }, (_, index) => text.push(`${index},`.padEnd(100, 'x')))
    expect((pieces.join('') + text.take()).length).toBe(100_000)
    expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(10)
  })
})
