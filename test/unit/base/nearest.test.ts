import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, nearest } from '../../../src/base/nearest.ts'

describe('the distance between two words', () => {
  it.each([
    ['status', 'status', 0],
    ['staus', 'status', 1],
    ['stattus', 'status', 1],
    ['ststus', 'status', 1],
    ['stauts', 'status', 1],
    ['', 'run', 3],
    ['run', '', 3],
    ['doctor', 'demo', 4],
  ])('%s → %s takes %i edits', (a, b, edits) => {
    expect(editDistance(a, b)).toBe(edits)
  })

  it('is the same in both directions, and zero only for the same word', () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a === b)
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})

describe('the nearest name', () => {
  const names = ['run', 'plan', 'status', 'story', 'cancel', 'maxIterations', 'aa-002', 'US-002']

  it.each([
    ['rnu', 'run'],
    ['STATUS', 'status'],
    ['stori', 'story'],
    ['cancle', 'cancel'],
    ['us-02', 'US-002'],
    ['maxiterations', 'maxIterations'],
  ])('of %s is %s', (word, name) => {
    expect(nearest(word, names)).toBe(name)
  })

  it('is found at once for a word of a megabyte', () => {
    expect(names).toContain(nearest('x'.repeat(1_000_000), names))
  })

  it('is the first of those that are as near', () => {
    expect(nearest('', ['aa', 'bb'])).toBe('aa')
  })

  it('is nothing when there are no names', () => {
    expect(nearest('run', [])).toBeUndefined()
  })
})
