import { closeSync, openSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendFile } from '../../../src/store/append-file.ts'
import { scratch } from '../../support/scratch.ts'

it('goes on where the last good record ends', () => {
  const path = join(scratch(), 'log')
  writeFileSync(path, 'one\n')
  const file = appendFile(openSync(path, 'r+'), path, 4)
  expect(file.append(Buffer.from('two\n'))).toEqual({ ok: true, value: undefined })
  expect(file.size).toBe(8)
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  file.close()
})

it('writes no more when it could not even clean up', () => {
  const path = join(scratch(), 'log')
  writeFileSync(path, '')
  const fd = openSync(path, 'r')
  const file = appendFile(fd, path, 0)
  const failure = { ok: false, error: { reason: 'storage', doing: 'append to', path, code: 'EBADF' } }
  expect(file.append(Buffer.from('x'))).toEqual(failure)
  // The same number, but now it could be written to.
  closeSync(fd)
  expect(openSync(path, 'r+')).toBe(fd)
  expect(file.append(Buffer.from('x'))).toEqual(failure)
  expect(readFileSync(path, 'utf8')).toBe('')
  closeSync(fd)
})

it.each<[string, (path: string) => void]>([
  ['longer', (path) => writeFileSync(path, 'forged\n', { flag: 'a' })],
  ['shorter', (path) => truncateSync(path, 1)],
  ['removed', (path) => rmSync(path)],
  ['known by another name', (path) => renameSync(path, `${path}2`)],
  [
    'replaced',
    (path) => {
      writeFileSync(`${path}2`, 'one\n')
      renameSync(`${path}2`, path)
    },
  ],
])('notices that somebody else made the file %s', (_, change) => {
  const path = join(scratch(), 'log')
  writeFileSync(path, 'one\n')
  const file = appendFile(openSync(path, 'r+'), path, 4)
  expect(file.untouched()).toBe(true)
  change(path)
  expect(file.untouched()).toBe(false)
  file.close()
})

it("does nothing with its descriptor once it is closed: the number is another file's soon", () => {
  const path = join(scratch(), 'log')
  writeFileSync(path, '')
  const file = appendFile(openSync(path, 'r+'), path, 0)
  file.close()
  const other = openSync(path, 'r+')
  expect(() => file.append(Buffer.from('x'))).toThrow('closed')
  file.close()
  expect(readFileSync(path, 'utf8')).toBe('')
  closeSync(other)
})
