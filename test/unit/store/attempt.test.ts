import { describe, expect, it } from 'vitest'
import { attempt, errnoOf } from '../../../src/store/attempt.ts'

const thrower = (error: unknown) => (): never => {
  throw error
}
const coded = (code: unknown): Error => Object.assign(new Error('no'), { code })

describe('attempt', () => {
  it('gives the value', () => {
    expect(attempt('read', '/x', () => 7)).toEqual({ ok: true, value: 7 })
  })

  it.each(['ENOSPC', 'EIO', 'E2BIG'])('makes the refusal %s a failure that names what was done and where', (code) => {
    expect(attempt('write', '/x', thrower(coded(code)))).toEqual({
      ok: false,
      error: { reason: 'storage', doing: 'write', path: '/x', code },
    })
  })

  it.each([
    ['a wrong call of node', coded('ERR_INVALID_ARG_TYPE')],
    ['a type error', new TypeError('x is not a function')],
    ['a code that is a number', coded(5)],
    ['something that is no error', 'ENOSPC'],
  ])('lets %s through: that is a bug', (_, error) => {
    let thrown: unknown
    try {
      attempt('write', '/x', thrower(error))
    } catch (caught) {
      thrown = caught
    }
    expect(thrown).toBe(error)
  })
})

it('errnoOf names the code of a system error', () => {
  expect(errnoOf(coded('ENOENT'))).toBe('ENOENT')
})
