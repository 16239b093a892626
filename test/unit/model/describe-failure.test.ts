import { describe, expect, it } from 'vitest'
import { describeFailure, exitCodeFor } from '../../../src/model/describe-failure.ts'
import type { Failure } from '../../../src/model/failure.ts'

const hostile = 'evil\u{1b}]52;c;x\u{7}\u{202e}'

/** One of each, with an agent's text wherever one can get in. */
const failures: Readonly<Record<Failure['reason'], Failure>> = {
  usage: { reason: 'usage', message: 'No such option.', fix: 'See --help.' },
  'not-built-yet': { reason: 'not-built-yet', command: 'report' },
  'invalid-tasks': { reason: 'invalid-tasks', path: hostile, problems: [hostile, 'US-2: no title'] },
  'invalid-settings': { reason: 'invalid-settings', path: hostile, problems: [hostile, 'maxIterations is wrong'] },
  'unsafe-file': { reason: 'unsafe-file', path: hostile, why: hostile },
  'missing-file': { reason: 'missing-file', path: hostile, fix: 'Write it.' },
  storage: { reason: 'storage', doing: 'write', path: hostile, code: 'ENOSPC' },
  'journal-damaged': { reason: 'journal-damaged', path: hostile, line: 7, why: hostile },
  locked: { reason: 'locked', path: hostile, holder: hostile, fix: 'Wait.' },
  'not-a-repository': { reason: 'not-a-repository', why: 'No commit yet.', fix: 'Commit.' },
  'cannot-switch': { reason: 'cannot-switch', branch: hostile, why: hostile, fix: hostile },
  'unsafe-project': { reason: 'unsafe-project', path: hostile, why: hostile },
  'unsafe-git-directory': { reason: 'unsafe-git-directory', path: hostile, why: hostile, kept: hostile },
  'git-failed': { reason: 'git-failed', doing: 'fetch', exitCode: null, stderr: hostile },
  'program-not-found': { reason: 'program-not-found', program: hostile, fix: 'Install it.' },
  'cannot-start': { reason: 'cannot-start', program: hostile, code: 'EACCES' },
  'isolation-unavailable': { reason: 'isolation-unavailable', why: 'There is none.', fix: 'Install one.' },
  'agent-bad-version': { reason: 'agent-bad-version', agent: 'codex', version: '0.122.0', why: 'it is too old' },
  'agent-refuses-root': { reason: 'agent-refuses-root', agent: 'claude' },
}

describe.each(Object.values(failures))('$reason', (failure) => {
  it('says what is wrong and what to do, and no text of an agent reaches the terminal raw', () => {
    const { what, fix } = describeFailure(failure)
    expect(what).not.toBe('')
    expect(fix).not.toBe('')
    for (const raw of ['\u{1b}', '\u{7}', '\u{202e}']) expect(what + fix).not.toContain(raw)
  })

  it('ends with an exit code of its own kind', () => {
    expect([2, 3]).toContain(exitCodeFor(failure))
  })
})

it.each(['invalid-tasks', 'invalid-settings'] as const)('names every problem on a line of its own: %s', (reason) => {
  expect(describeFailure(failures[reason]).what.split('\n')).toHaveLength(3)
})

it.each([
  ['ENOSPC', 'Free some space'],
  ['EDQUOT', 'Free some space'],
  ['EROFS', 'writable'],
  ['EACCES', 'RALPH_STATE_DIR'],
  ['EIO', 'Check the disk'],
])('says for %s: %s', (code, advice) => {
  expect(describeFailure({ reason: 'storage', doing: 'write', path: '/x', code }).fix).toContain(advice)
})
