import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { saveRejected } from '../../../src/store/save-rejected.ts'
import { failure, value } from '../../support/repositories.ts'
import { scratch } from '../../support/scratch.ts'

let directory: string
beforeEach(() => {
  directory = join(scratch(), 'rejected/3')
})

const item = (what: string, text: string) => ({ what, bytes: Buffer.from(text) })
const index = (): { what: string; file: string; bytes: number }[] =>
  JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8')) as never
/** What was kept, by what it was. */
const kept = (): string[][] => index().map(({ what, file }) => [what, readFileSync(join(directory, file), 'utf8')])

describe('saveRejected', () => {
  it('keeps each in a file of its own, and says what it was', () => {
    value(saveRejected(directory, [item('US-003.notes', '"mine"'), item('src/a.ts', 'code\n')]))
    expect(readdirSync(directory).toSorted()).toEqual(['0001', '0002', 'index.json'])
    expect(index()[1]).toMatchObject({ what: 'src/a.ts', file: '0002', bytes: 5 })
    expect(kept()).toEqual([
      ['US-003.notes', '"mine"'],
      ['src/a.ts', 'code\n'],
    ])
  })

  it('lets only its owner read it', () => {
    value(saveRejected(directory, [item('a', 'b')]))
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
  })

  it('adds to what is there', () => {
    value(saveRejected(directory, [item('a', '1')]))
    value(saveRejected(directory, [item('a', '2'), item('b', '1')]))
    expect(kept()).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
    ])
  })

  it('keeps nothing twice when it is done again after a crash', () => {
    const items = [item('a', '1'), item('b', '2')]
    value(saveRejected(directory, items))
    value(saveRejected(directory, items))
    value(saveRejected(directory, [...items, item('c', '3')]))
    expect(kept().map(([what]) => what)).toEqual(['a', 'b', 'c'])
  })

  it('does not mind files that a killed runner left without an index', () => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, '0007'), 'orphan')
    value(saveRejected(directory, [item('a', '1')]))
    expect(index()[0]).toMatchObject({ file: '0008' })
    expect(readFileSync(join(directory, '0007'), 'utf8')).toBe('orphan')
  })

  it('makes nothing for nothing', () => {
    value(saveRejected(directory, []))
    expect(() => statSync(directory)).toThrow('ENOENT')
  })

  it.each(['../../../outside', '/etc/passwd', '0001', 'index.json', 'a\0b', '\u{1b}]52;c;x\u{7}', 'lone \udc80'])(
    'takes no name from the agent: %j',
    (what) => {
      value(saveRejected(directory, [item(what, 'x')]))
      expect(readdirSync(directory).toSorted()).toEqual(['0001', 'index.json'])
      expect(kept()).toEqual([[what, 'x']])
    },
  )

  it('overwrites no index that it cannot read', () => {
    mkdirSync(directory, { recursive: true })
    for (const text of ['{', '{}', '[1]']) {
      writeFileSync(join(directory, 'index.json'), text)
      expect(failure(saveRejected(directory, [item('a', '1')]))).toMatchObject({ reason: 'unsafe-file' })
      expect(readFileSync(join(directory, 'index.json'), 'utf8')).toBe(text)
    }
  })

  it('has a value for a place that cannot be written', () => {
    const root = scratch()
    writeFileSync(join(root, 'file'), '')
    expect(failure(saveRejected(join(root, 'file/3'), [item('a', '1')]))).toMatchObject({ reason: 'storage' })
    symlinkSync(root, join(root, 'link'))
    expect(failure(saveRejected(join(root, 'link'), [item('a', '1')]))).toMatchObject({ reason: 'unsafe-file' })
  })
})
