import { expect, it } from 'vitest'
import { shellQuote } from '../../../src/base/shell-quote.ts'

it.each([
  ['/home/me/project', '/home/me/project'],
  ['/home/me/my project', "'/home/me/my project'"],
  ["it's", String.raw`'it'\''s'`],
  ['$(reboot)', "'$(reboot)'"],
  ['', "''"],
  ['a\u{1b}[2Jb', String.raw`'a\u{1b}[2Jb'`],
])('writes %j so that it can be copied', (word, quoted) => {
  expect(shellQuote(word)).toBe(quoted)
})
