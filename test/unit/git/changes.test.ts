import { describe, expect, it } from 'vitest'
import { parseRaw, pathChange } from '../../../src/git/changes.ts'

const fields = (...texts: string[]): Buffer => Buffer.from(texts.map((text) => `${text}\0`).join(''))

describe('a raw difference', () => {
  const raw = (oldMode: string, newMode: string): Buffer =>
    fields(`:${oldMode} ${newMode} ${'1'.repeat(40)} ${'2'.repeat(40)} M`, 'p')
  it.each([
    ['000000', '100644', 'added', 'file'],
    ['100644', '100755', 'modified', 'executable'],
    ['100644', '120000', 'modified', 'link'],
    ['000000', '160000', 'added', 'nested-repository'],
    ['100644', '000000', 'deleted', 'nothing'],
  ])('%s to %s is %s, %s', (oldMode, newMode, kind, now) => {
    expect(parseRaw(raw(oldMode, newMode)).map(pathChange)).toEqual([{ path: 'p', kind, now }])
  })
})
