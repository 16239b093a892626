import { expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/model/stop-reason.ts'

it.each([
  [0, ['complete', 'complete_with_concerns']],
  [1, ['max_iterations', 'budget_exhausted', 'timeout', 'idle', 'too_many_errors']],
  [
    3,
    [
      'agent_unavailable',
      'not_logged_in',
      'isolation_unavailable',
      'locked',
      'not_a_repository',
      'usage_limit',
      'storage',
      'root',
    ],
  ],
  [4, ['waiting', 'review_cap']],
  [130, ['interrupted']],
])('exit code %i belongs to exactly %j', (code, reasons) => {
  const found = Object.entries(exitCodeOf).filter(([, exitCode]) => exitCode === code)
  expect(found.map(([reason]) => reason)).toEqual(reasons)
})
