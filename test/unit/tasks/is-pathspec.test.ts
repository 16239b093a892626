import { describe, expect, it } from 'vitest'
import { isPathspec } from '../../../src/tasks/is-pathspec.ts'

describe('pathspecs that only git could look up', () => {
  it.each([
    'test',
    'test/',
    '*.ts',
    ':!test',
    ':^test',
    ':/test',
    ':(top,glob)x/**',
    ':(exclude)x',
    ':()x',
    ':(icase)X',
  ])('%s is none of them', (text) => expect(isPathspec(text)).toBe(true))
  it.each(['/etc/passwd', ':(attr:binary)*', ':(glob', ':(Glob)x', ':@x', ':!-x', ':(prefix:1)x'])(
    '%s is one',
    (text) => expect(isPathspec(text)).toBe(false),
  )
})
