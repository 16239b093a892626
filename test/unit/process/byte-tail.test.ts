import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteTail } from '../../../src/process/byte-tail.ts'

describe('ByteTail', () => {
  it('keeps the last bytes of any sequence of chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 })),
        fc.integer({ min: 1, max: 40 }),
        (chunks, limit) => {
          const tail = new ByteTail(limit)
          for (const chunk of chunks) tail.push(Buffer.from(chunk))
          expect(tail.text()).toBe(chunks.join('').slice(-limit))
        },
      ),
    )
  })
})
