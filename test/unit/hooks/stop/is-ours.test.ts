import { describe, expect, it } from 'vitest'
import { isOurs, type Session } from '../../../../src/hooks/stop/is-ours.ts'

const never = (): never => {
  throw new Error('nobody had to ask')
}
const session = (fields: Partial<Session> = {}): Session => ({
  id: 's',
  runId: undefined,
  isRunAlive: never,
  isTracked: never,
  ...fields,
})

describe('whose turn ends', () => {
  it('is told by the session alone where there is one', () => {
    expect(isOurs({ sessionId: 's', runId: 'r' }, session())).toBe(true)
    expect(isOurs({ sessionId: 't', runId: 'r' }, session({ runId: 'r' }))).toBe(false)
  })

  it.each<[string, Partial<Session>, boolean]>([
    ['its run', { runId: 'r', isTracked: () => false }, true],
    ['its run, but it came with a clone', { runId: 'r', isTracked: () => true }, false],
    ['a run that is alive', { isRunAlive: () => true, isTracked: () => false }, true],
    ['a run that is gone', { isRunAlive: () => false }, false],
    ['another run', { runId: 'q', isRunAlive: () => false }, false],
  ])('is told by %s where there is none', (_, fields, ours) => {
    expect(isOurs({ runId: 'r' }, session(fields))).toBe(ours)
  })

  it('is anybody’s where there is neither', () => {
    expect(isOurs({}, session({ isTracked: () => false }))).toBe(true)
    expect(isOurs({}, session({ isTracked: () => true }))).toBe(false)
  })
})
