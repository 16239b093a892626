import { expect, it } from 'vitest'
import { isBranchName } from '../../../src/tasks/branch-name.ts'

it.each(['main', 'ralph/feature-name', 'a.b/c_d', 'ünïcode', '@x'])('%j is a branch name', (name) =>
  expect(isBranchName(name)).toBe(true),
)

it.each([
  '',
  '-x',
  'a..b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[b',
  'a\\b',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a.',
  '@',
  'a@{b',
  'a\nb',
  'HEAD',
  'x'.repeat(201),
])('%j is none', (name) => expect(isBranchName(name)).toBe(false))
