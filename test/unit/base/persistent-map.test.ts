import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PersistentMap } from '../../../src/base/persistent-map.ts'

const key = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('__proto__', 'constructor', ''))

describe('PersistentMap', () => {
  it('holds what a Map holds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat())), (pairs) => {
        const expected = new Map(pairs)
        const map = pairs.reduce((before, [name, value]) => before.with(name, value), new PersistentMap<number>())
        expect(new Map(map.entries())).toEqual(expected)
        expect(map.entries()).toHaveLength(expected.size)
        for (const [name, value] of expected) expect(map.get(name)).toBe(value)
        expect(map.get('not there')).toBeUndefined()
      }),
    )
  })

  it('is never changed by making the next one', () => {
    const first = new PersistentMap<number>().with('a', 1)
    const second = first.with('a', 2).with('b', 3)
    expect(first.entries()).toEqual([['a', 1]])
    expect(second.get('a')).toBe(2)
    expect(new PersistentMap().entries()).toEqual([])
  })

  it('is equal to one with the same content, and to no other', () => {
    const one = new PersistentMap<number>().with('a', 1).with('b', 2)
    expect(one).toEqual(new PersistentMap<number>().with('b', 2).with('a', 1))
    expect(one).not.toEqual(new PersistentMap<number>().with('a', 1))
  })
})
