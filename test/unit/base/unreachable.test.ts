import { expect, it } from 'vitest'
import { unreachable } from '../../../src/base/unreachable.ts'

it('says what got there', () => {
  expect(() => unreachable({ kind: 'new' } as never)).toThrow('unreachable: {"kind":"new"}')
})
