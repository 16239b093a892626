import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { clearRequest, readRequest, requestStop } from '../../../src/journal/control-file.ts'
import { scratch } from '../../support/scratch.ts'

const nonce = 'a'.repeat(32)

it.each(['now', 'after-iteration'] as const)('brings the request "%s" to the runner', (request) => {
  const path = join(scratch(), 'control')
  expect(readRequest(path, nonce)).toBeNull()
  expect(requestStop(path, nonce, request)).toEqual({ ok: true, value: undefined })
  expect(readRequest(path, nonce)).toBe(request)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it('does not stop a run that it was not meant for', () => {
  const path = join(scratch(), 'control')
  requestStop(path, nonce, 'now')
  expect(readRequest(path, 'b'.repeat(32))).toBeNull()
})

it('is made more urgent by a second request, never less', () => {
  const path = join(scratch(), 'control')
  for (const request of ['after-iteration', 'now', 'after-iteration'] as const) requestStop(path, nonce, request)
  expect(readRequest(path, nonce)).toBe('now')
  requestStop(path, 'b'.repeat(32), 'after-iteration')
  expect(readRequest(path, 'b'.repeat(32))).toBe('after-iteration')
})

it('is gone after it was cleared, and may be cleared when it is not there', () => {
  const path = join(scratch(), 'control')
  requestStop(path, nonce, 'now')
  for (let time = 0; time < 2; time++) expect(clearRequest(path)).toEqual({ ok: true, value: undefined })
  expect(readdirSync(join(path, '..'))).toEqual([])
})

it.each<[string, (path: string) => void]>([
  ['nothing', (path) => writeFileSync(path, '')],
  ['garbage', (path) => writeFileSync(path, '{"nonce":')],
  ['a list', (path) => writeFileSync(path, '[]')],
  ['another word', (path) => writeFileSync(path, JSON.stringify({ nonce, request: 'explode' }))],
  ['a huge file', (path) => writeFileSync(path, JSON.stringify({ nonce, request: 'now' }) + ' '.repeat(5000))],
  [
    'a link',
    (path) => (writeFileSync(`${path}2`, JSON.stringify({ nonce, request: 'now' })), symlinkSync(`${path}2`, path)),
  ],
  ['a FIFO', (path) => void spawnSync('mkfifo', [path])],
])('means nothing when there is %s', (_, plant) => {
  const path = join(scratch(), 'control')
  plant(path)
  expect(readRequest(path, nonce)).toBeNull()
  expect(requestStop(path, nonce, 'now').ok).toBe(true)
  expect(readRequest(path, nonce)).toBe('now')
})

it('says so when it cannot be written or cleared', () => {
  const path = join(scratch(), 'control')
  mkdirSync(path)
  expect(requestStop(path, nonce, 'now')).toMatchObject({ ok: false, error: { reason: 'storage' } })
  expect(clearRequest(path)).toMatchObject({ ok: false, error: { reason: 'storage' } })
  rmSync(path, { recursive: true })
})
