import { describe, expect, it } from 'vitest'
import { failedTests } from '../../../src/demo/failed-tests.ts'

describe('the tests that failed', () => {
  it('are named, as TAP prints them', () => {
    const tap = ['# Subtest: a', 'not ok 1 - a name (of a test)', '  ---', 'ok 2 - b', 'not ok 3 - c', '# fail 2'].join(
      '\n',
    )
    expect(failedTests(tap)).toBe('failed: a name (of a test)\nfailed: c')
  })

  it('are named once, as newer nodes print them', () => {
    const spec = ['✖ a (1.25ms)', '✔ b (0.5ms)', 'ℹ fail 1', '✖ failing tests:', '', '✖ a (1.25ms)', '  Error'].join(
      '\n',
    )
    expect(failedTests(spec)).toBe('failed: a')
  })

  it('are nothing that other programs print', () => {
    expect(failedTests('fatal: not a git repository\n')).toBe('fatal: not a git repository\n')
  })
})
