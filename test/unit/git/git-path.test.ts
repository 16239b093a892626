import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePath, diskPath, encodePath, isInnerPath, joinPaths, splitFields } from '../../../src/git/git-path.ts'

describe('a name of bytes', () => {
  it('leads back to the same bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(encodePath(decodePath(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('has one text: different bytes never look the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }), (a, b) => {
        expect(decodePath(a) === decodePath(b)).toBe(Buffer.compare(a, b) === 0)
      }),
    )
  })

  it('is its plain text where it is UTF-8, a byte order mark included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodePath(Buffer.from(text))).toBe(text)
      }),
    )
    expect(decodePath(Buffer.from('\u{feff}x'))).toBe('\u{feff}x')
  })

  it('goes to the system as bytes only if it must', () => {
    expect(diskPath('/p', 'a/ü')).toBe('/p/a/ü')
    expect(diskPath('/p', decodePath(Buffer.from([0xff])))).toEqual(Buffer.from([0x2f, 0x70, 0x2f, 0xff]))
  })

  it('survives a list', () => {
    const paths = ['a b', 'new\nline', decodePath(Buffer.from([0x61, 0xfe]))]
    expect(splitFields(joinPaths(paths)).map(decodePath)).toEqual(paths)
    expect(splitFields(Buffer.alloc(0))).toEqual([])
  })
})

describe('a path in the project', () => {
  it.each(['a', 'a/b', '.gitignore', '.github/x', 'a/..b', ' '])('%j is one', (path) => {
    expect(isInnerPath(path)).toBe(true)
  })
  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    './a',
    '.git',
    '.git/config',
    'a/.GIT/x',
    '.git /x',
    '.git./x',
    'a\0',
  ])('%j is not', (path) => {
    expect(isInnerPath(path)).toBe(false)
  })
})
