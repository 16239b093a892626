import { expect, it } from 'vitest'
import { isOwnFile } from '../../../src/git/own-files.ts'

it('own files are exact, or prefixes', () => {
  const own = ['.ralph-active', '.ralph/guardrail_*']
  expect(['.ralph-active', '.ralph/guardrail_1_x.log'].every((path) => isOwnFile(own, path))).toBe(true)
  expect(['.ralph-active2', 'a/.ralph-active', '.ralph/x'].some((path) => isOwnFile(own, path))).toBe(false)
})
