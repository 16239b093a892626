import { expect, it } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { refuseInsideLoop } from '../../../src/cli/refuse-inside-loop.ts'
import { describeFailure, exitCodeFor } from '../../../src/model/describe-failure.ts'

it('lets people through', () => {
  expect(refuseInsideLoop({})).toEqual(ok(undefined))
  expect(refuseInsideLoop({ RALPH_RUN_ID: '' })).toEqual(ok(undefined))
})

it('refuses what a loop started, and names the loop', () => {
  const refused = refuseInsideLoop({ RALPH_RUN_ID: '20261101-120000-00c0ffee' })
  if (refused.ok) throw new Error('not refused')
  expect(describeFailure(refused.error).what).toContain('20261101-120000-00c0ffee')
  expect(exitCodeFor(refused.error)).toBe(2)
})
