import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tomlStatements } from '../../../src/agents/toml-statements.ts'

const keys = (text: string) => tomlStatements(text).map(({ key, isTable }) => (isTable ? `[${key}]` : key))

describe('the statements of a TOML file', () => {
  it('are values, and tables with all that is in them', () => {
    const text = 'model = "a" # why\n\n# a comment\n[one.two]\nx = 1\n# another\n\ny = 2\r\n[[three]]\nz = 3'
    expect(tomlStatements(text)).toEqual([
      { key: 'model', isTable: false, text: 'model = "a" # why' },
      { key: 'one', isTable: true, text: '[one.two]\nx = 1\ny = 2\r' },
      { key: 'three', isTable: true, text: '[[three]]\nz = 3' },
    ])
  })

  it.each([
    ['a list over lines', 'a = [\n  "x", # ]\n  "]",\n  [1],\n]'],
    ['a table in one line', 'a = { b = "}", c = { d = 1 } }'],
    ['a long string', 'a = """\n[b]\nc = 1\n\\"" """""'],
    ['a long string without escapes', "a = '''\n[b]\n\\'''"],
    ['a sign of comment in a string', 'a = "# [" # ["'],
    ['a string with an escaped quote', String.raw`a = "\"[\\"`],
    ['a string without escapes', String.raw`a = '\'`],
  ])('know the end of %s', (_, text) => {
    expect(tomlStatements(`${text}\nb = 1`)).toEqual([
      { key: 'a', isTable: false, text },
      { key: 'b', isTable: false, text: 'b = 1' },
    ])
  })

  it('are known by the first part of their names', () => {
    expect(keys('a.b.c = 1\n"d e".f = 2\n\'g\' = 3\n[h."i.j"]\n[ k . l ]\n[["m"]]')).toEqual([
      'a',
      'd e',
      'g',
      '[h]',
      '[k]',
      '[m]',
    ])
  })

  it.each(['', '\n\n', '# only a comment', '\u{feff}', '=', '[', '"""', "a = '", 'a = [', ']]]\n}'])(
    'of %j are taken apart without an end in sight',
    (text) => {
      expect(tomlStatements(text).length).toBeLessThanOrEqual(2)
    },
  )

  it('lose nothing of any text but comments and space', () => {
    const sign = fc.constantFrom('a', '=', '[', ']', '{', '}', '"', "'", '\\', '#', '\n', ' ', '.', '"""', "'''")
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 40 }), (signs) => {
        const text = signs.join('')
        const parts = tomlStatements(text).map((statement) => statement.text)
        let at = 0
        for (const piece of parts.flatMap((part) => part.split('\n'))) {
          const found = text.indexOf(piece, at)
          expect(found).toBeGreaterThanOrEqual(at)
          at = found + piece.length
        }
      }),
    )
  })

  it('of a long file are found in one go', () => {
    const start = performance.now()
    expect(tomlStatements('a = "b" # c\n'.repeat(200_000))).toHaveLength(200_000)
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
