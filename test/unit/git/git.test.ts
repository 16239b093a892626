import { expect, it } from 'vitest'
import { fileUrl, shellQuote } from '../../../src/git/git.ts'

it('paths go through a shell and through an address unharmed', () => {
  expect(shellQuote("/a b/it's")).toBe(String.raw`'/a b/it'\''s'`)
  expect(fileUrl('/a b/100%/ü')).toBe('file:///a%20b/100%25/%c3%bc')
})
