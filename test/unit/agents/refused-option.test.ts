import { describe, expect, it } from 'vitest'
import { refusedOption } from '../../../src/agents/refused-option.ts'

describe('refusedOption', () => {
  it.each([
    [
      "error: unexpected argument '--full-auto' found\n\nUsage: codex exec",
      "error: unexpected argument '--full-auto' found",
    ],
    ["error: unknown option '--nope'", "error: unknown option '--nope'"],
    ['Usage: x\n\nUnknown arguments: such-flag, suchFlag', 'Unknown arguments: such-flag, suchFlag'],
    ['x: unrecognized option --y', 'x: unrecognized option --y'],
  ])('finds in %j the words %j', (stderr, words) => {
    expect(refusedOption(stderr)).toBe(words)
  })

  it('takes a help that nobody asked for as one', () => {
    const help = ['a', 'b', 'c', 'd', 'e'].map((name) => `  -${name}, --long-${name}   what it does`).join('\n')
    expect(refusedOption(help)).toBe('printed its help instead of working')
  })

  it.each(['', 'Error: connect ECONNREFUSED', 'use --force, or --yolo to go on'])('finds none in %j', (stderr) => {
    expect(refusedOption(stderr)).toBeNull()
  })
})
