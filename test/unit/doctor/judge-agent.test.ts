import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/agents/claude.ts'
import { codex } from '../../../src/agents/codex.ts'
import type { VersionAnswer } from '../../../src/doctor/ask-version.ts'
import { judgeAgent } from '../../../src/doctor/judge-agent.ts'

const question = { agent: codex, chosen: true, named: false, refusal: null }
const seen = (answer: VersionAnswer | null) => ({ path: '/bin/codex', answer, login: 'seen' }) as const

describe('an agent', () => {
  it.each([
    [
      { kind: 'version', version: '0.166.0' },
      { state: 'ok', version: '0.166.0', why: null, fix: null },
    ],
    [
      { kind: 'version', version: '0.100.0' },
      { state: 'old', version: '0.100.0', fix: 'install a newer codex' },
    ],
    [{ kind: 'none' }, { state: 'unknown', version: null, why: 'it did not say which version it is', fix: null }],
    [
      { kind: 'too-slow', timeoutMs: 10_000 },
      { state: 'unknown', why: 'it said no version within 10 s' },
    ],
    [
      { kind: 'failed', how: 'it ended with 1' },
      { state: 'bad', why: 'asked for its version, it ended with 1' },
    ],
    [{ kind: 'not-asked' }, { state: 'unknown', why: null, fix: null }],
    [null, { state: 'ok', version: null }],
  ] as const)('that answers %j', (answer, expected) => {
    expect(judgeAgent(question, seen(answer))).toMatchObject({ ...expected, path: '/bin/codex', login: 'seen' })
  })

  it('that is not there has no version and no login, and says how to get it', () => {
    expect(judgeAgent(question, { missing: 'install codex', login: null })).toMatchObject({
      state: 'missing',
      path: null,
      fix: 'install codex',
    })
  })

  const refusal = { what: 'claude does not run as root outside of a sandbox.', fix: 'Set IS_SANDBOX=1.' }

  it('that works and would not be started says why', () => {
    expect(
      judgeAgent({ ...question, agent: claude, refusal }, seen({ kind: 'version', version: '2.1' })),
    ).toMatchObject({ state: 'refused', version: '2.1', why: refusal.what, fix: refusal.fix })
  })

  it('that does not work says that first', () => {
    expect(judgeAgent({ ...question, refusal }, seen({ kind: 'failed', how: 'it ended with 1' })).state).toBe('bad')
    expect(judgeAgent({ ...question, refusal }, { missing: 'install it', login: null }).state).toBe('missing')
  })

  it('shows no path that moves a cursor', () => {
    expect(judgeAgent(question, { path: '/bin/\u001b[2J', answer: null, login: null }).path).toBe('/bin/\\u{1b}[2J')
  })
})
