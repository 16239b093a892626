import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isOurs, type Session } from '../../../../src/hooks/loop/is-ours.ts'

const notAsked = (): never => {
  throw new Error('nobody had to ask')
}
const tracked = () => '.ralph-active\0'
const untracked = () => ''
const session = (fields: Partial<Session> = {}): Session => ({ id: 's', runId: undefined, git: notAsked, ...fields })
const alive = process.pid
const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }))

describe('whose turn it is', () => {
  it('is told by the session where there is one', () => {
    expect(isOurs({ sessionId: 's', runId: 'r' }, session({ runId: 'r' }))).toBe(true)
    expect(isOurs({ sessionId: 's', runId: 'r' }, session({ git: untracked }))).toBe(true)
    expect(isOurs({ sessionId: 't', runId: 'r', pid: alive }, session({ runId: 'r' }))).toBe(false)
  })

  it('is not told by a marker that came with a clone; only its own run may have committed it', () => {
    expect(isOurs({ sessionId: 's', runId: 'r' }, session({ git: tracked }))).toBe(false)
    expect(isOurs({ sessionId: 's' }, session({ git: tracked }))).toBe(false)
    expect(isOurs({ sessionId: 's', runId: '' }, session({ runId: '', git: tracked }))).toBe(false)
  })

  it.each<[string, number, Partial<Session>, boolean]>([
    ['its run', dead, { runId: 'r', git: untracked }, true],
    ['its run, but it came with a clone', dead, { runId: 'r', git: tracked }, false],
    ['a run that is alive', alive, { git: untracked }, true],
    ['a run that is gone', dead, {}, false],
    ['another run', dead, { runId: 'q' }, false],
  ])('is told by %s where there is none', (_, pid, fields, ours) => {
    expect(isOurs({ runId: 'r', pid }, session(fields))).toBe(ours)
  })

  it('is anybody’s where there is neither', () => {
    expect(isOurs({}, session({ git: untracked }))).toBe(true)
    expect(isOurs({ sessionId: '', runId: '' }, session({ id: '', git: untracked }))).toBe(true)
    expect(isOurs({}, session({ git: () => null }))).toBe(true)
    expect(isOurs({}, session({ git: tracked }))).toBe(false)
  })
})
