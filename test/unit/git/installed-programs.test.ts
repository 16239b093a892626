import { describe, expect, it } from 'vitest'
import { changedPrograms } from '../../../src/git/installed-programs.ts'

describe('programs that are in no commit', () => {
  it.each([
    ['one that was replaced', { 'node_modules/.bin/a': '1', 'node_modules/.bin/b': '1' }, ['node_modules/.bin/b']],
    [
      'one that is new',
      { 'node_modules/.bin/a': '1', 'node_modules/.bin/b': '2', 'node_modules/.bin/c': '3' },
      ['node_modules/.bin/c'],
    ],
    ['one that is gone', { 'node_modules/.bin/a': '1' }, ['node_modules/.bin/b']],
    ['a directory that is gone', {}, ['node_modules/.bin/']],
    ['a directory that is new', { ...before(), 'vendor/bin/x': '1', 'vendor/bin/y': '2' }, ['vendor/bin/']],
    ['nothing', before(), []],
  ])('%s is named', (_, now, names) => {
    expect(changedPrograms(before(), now)).toEqual(names)
  })
})

function before(): Record<string, string> {
  return { 'node_modules/.bin/a': '1', 'node_modules/.bin/b': '2' }
}
