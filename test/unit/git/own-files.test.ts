import { expect, it } from 'vitest'
import { isOwnFile, isPosing } from '../../../src/git/own-files.ts'

it('own files are exact, or prefixes', () => {
  const own = ['.ralph-active', '.ralph/guardrail_*']
  expect(['.ralph-active', '.ralph/guardrail_1_x.log'].every((path) => isOwnFile(own, path))).toBe(true)
  expect(['.ralph-active2', 'a/.ralph-active', '.ralph/x'].some((path) => isOwnFile(own, path))).toBe(false)
})

it('whoever has a name of theirs and is neither the marker nor a log poses as one', () => {
  const own = ['.ralph-active', '.ralph/guardrail_*', '.ralph-draft-*']
  const posing = ['.ralph/guardrail_impl/', '.ralph/guardrail_1_x.js', '.ralph/guardrail_1_x.log/', '.ralph-draft-1/a']
  expect(posing.filter((path) => !isPosing(own, path))).toEqual([])
  expect(['.ralph-active', '.ralph/guardrail_1_npm_test.log', 'src/a.js'].some((path) => isPosing(own, path))).toBe(
    false,
  )
})
