import { expect, it } from 'vitest'
import { branchNameFor, isBranchName } from '../../../src/tasks/branch-name.ts'

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

it.each([
  ['user-search', 'ralph/user-search'],
  ['User search, v2!', 'ralph/User-search-v2'],
  ['team/search', 'ralph/team/search'],
  ['../../etc', 'ralph/etc'],
  ['a..b', 'ralph/a.b'],
  ['-x', 'ralph/x'],
  ['Größe', 'ralph/Größe'],
  ['a\nb', 'ralph/a-b'],
])('the feature %j gets the branch %s', (feature, branch) => {
  expect(branchNameFor(feature)).toBe(branch)
  expect(isBranchName(branch)).toBe(true)
})

it.each(['', '...', '!!!', 'a.lock', 'a//b', 'x'.repeat(300)])('the feature %j gets none', (feature) => {
  expect(branchNameFor(feature)).toBeNull()
})
