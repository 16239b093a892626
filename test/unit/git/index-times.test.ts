import { describe, expect, it } from 'vitest'
import { parseIndexTimes } from '../../../src/git/index-times.ts'

/** An index as git writes it: version 2, one entry for each path, with this ctime. */
function index(
  idBytes: 20 | 32,
  entries: readonly (readonly [path: string, seconds: number, nanoseconds: number])[],
): Buffer {
  const header = Buffer.alloc(12)
  header.write('DIRC')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(entries.length, 8)
  const parts = entries.map(([path, seconds, nanoseconds]) => {
    const name = Buffer.from(path)
    const length = 40 + idBytes + 2 + name.length
    const entry = Buffer.alloc(Math.floor((length + 8) / 8) * 8)
    entry.writeUInt32BE(seconds, 0)
    entry.writeUInt32BE(nanoseconds, 4)
    entry.writeUInt32BE(0o100_644, 24)
    entry.fill(0xab, 40, 40 + idBytes)
    entry.writeUInt16BE(name.length, 40 + idBytes)
    name.copy(entry, 40 + idBytes + 2)
    return entry
  })
  return Buffer.concat([header, ...parts, Buffer.alloc(idBytes)])
}

describe.each([20, 32] as const)('an index with ids of %i bytes', (idBytes) => {
  it('gives the entries that changed since, whatever the length of their names', () => {
    const names = Array.from({ length: 20 }, (_, length) => 'n'.repeat(length + 1))
    const bytes = index(
      idBytes,
      names.map((name, at) => [name, 100 + (at % 2), at]),
    )
    const found = parseIndexTimes(bytes, 101)
    expect(found.map(({ path }) => path)).toEqual(names.filter((_, at) => at % 2 === 1))
    expect(found[0]).toEqual({ path: 'nn', mode: '100644', id: 'ab'.repeat(idBytes), seconds: 101, nanoseconds: 1 })
  })

  it('may be empty', () => expect(parseIndexTimes(index(idBytes, []), 0)).toEqual([]))
})

it('an index of another version says nothing', () => {
  const bytes = index(20, [['a', 1, 1]])
  bytes.writeUInt32BE(4, 4)
  expect(parseIndexTimes(bytes, 0)).toEqual([])
  expect(parseIndexTimes(Buffer.alloc(3), 0)).toEqual([])
})
