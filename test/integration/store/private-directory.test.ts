import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makePrivateDirectory } from '../../../src/store/private-directory.ts'
import { scratch } from '../../support/scratch.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777

it('makes the directory and its parents for the owner only, and does not mind that they are there', () => {
  const root = scratch()
  for (let time = 0; time < 2; time++) {
    expect(makePrivateDirectory(join(root, 'a/b/c'))).toEqual({ ok: true, value: undefined })
    expect(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(root, path)))).toEqual([0o700, 0o700, 0o700])
  }
})

it('closes a directory that others could enter', () => {
  const path = join(scratch(), 'a')
  mkdirSync(path)
  chmodSync(path, 0o777)
  makePrivateDirectory(path)
  expect(modeOf(path)).toBe(0o700)
})

it.each<[string, (path: string) => void, string]>([
  ['a link', (path) => symlinkSync('/', path), 'a'],
  ['a file', (path) => writeFileSync(path, ''), 'a'],
  ['below a file', (path) => writeFileSync(path, ''), 'a/b'],
  ['below a link to nowhere', (path) => symlinkSync('nowhere', path), 'a/b'],
])('fails at %s', (_, plant, wanted) => {
  const root = scratch()
  plant(join(root, 'a'))
  expect(makePrivateDirectory(join(root, wanted)).ok).toBe(false)
})
