import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeDrafts } from '../../../src/store/remove-drafts.ts'
import { removeInside } from '../../../src/store/remove-inside.ts'
import { writeInside } from '../../../src/store/write-inside.ts'
import { scratch } from '../../support/scratch.ts'
import { whileSwapping } from '../../support/while-swapping.ts'

const done = { ok: true, value: undefined }
const bytes = Buffer.from('new')

const walks: readonly [string, { descriptorPaths: boolean }, boolean][] = [
  ['through descriptors', { descriptorPaths: true }, process.platform !== 'linux'],
  ['by path, as on macOS', { descriptorPaths: false }, false],
]

describe.each(walks)('writeInside, %s', (_, walk, skip) => {
  it.skipIf(skip)('makes the file and its directories, and leaves nothing else', () => {
    const root = scratch()
    expect(writeInside(root, 'a/b/c', bytes, { walk })).toEqual(done)
    expect(readFileSync(join(root, 'a/b/c'), 'utf8')).toBe('new')
    expect(readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(['a', 'a/b', 'a/b/c'])
  })

  it.skipIf(skip)('replaces a file and keeps its permissions', () => {
    const root = scratch()
    writeFileSync(join(root, 'run.sh'), 'old')
    chmodSync(join(root, 'run.sh'), 0o755)
    expect(writeInside(root, 'run.sh', bytes, { walk })).toEqual(done)
    expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o755)
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('new')
  })

  it.skipIf(skip)('gives the permissions that are asked for', () => {
    const root = scratch()
    expect(writeInside(root, 'a', bytes, { walk, permissions: 0o600 })).toEqual(done)
    expect(statSync(join(root, 'a')).mode & 0o7777).toBe(0o600)
  })

  it.skipIf(skip)('creates only what is not there', () => {
    const root = scratch()
    expect(writeInside(root, 'a', bytes, { walk, as: 'create' })).toEqual(done)
    expect(writeInside(root, 'a', Buffer.from('newer'), { walk, as: 'create' })).toMatchObject({
      ok: false,
      error: { reason: 'unsafe-file', path: join(root, 'a'), why: 'something is there already' },
    })
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new')
    expect(readdirSync(root)).toEqual(['a'])
  })

  it.skipIf(skip)('59 guardrail-log-symlink: a link at the name gives way, and what it points to is untouched', () => {
    const root = scratch()
    const outside = scratch()
    writeFileSync(join(outside, '.bashrc'), 'mine')
    mkdirSync(join(root, '.ralph'))
    symlinkSync(join(outside, '.bashrc'), join(root, '.ralph/guardrail_1_test.log'))
    symlinkSync(join(outside, 'not-there-yet'), join(root, '.ralph/guardrail_2_test.log'))
    for (const name of ['guardrail_1_test.log', 'guardrail_2_test.log']) {
      const create = writeInside(root, `.ralph/${name}`, bytes, { walk, as: 'create' })
      expect(create).toMatchObject({ ok: false, error: { reason: 'unsafe-file' } })
      expect(writeInside(root, `.ralph/${name}`, bytes, { walk })).toEqual(done)
      expect(readFileSync(join(root, '.ralph', name), 'utf8')).toBe('new')
    }
    expect(readFileSync(join(outside, '.bashrc'), 'utf8')).toBe('mine')
    expect(readdirSync(outside)).toEqual(['.bashrc'])
  })

  it.skipIf(skip)('60 ralph-dir-symlink: nothing is written through a directory that is a link', () => {
    const root = scratch()
    const outside = scratch()
    symlinkSync(outside, join(root, '.ralph'))
    mkdirSync(join(root, 'ralph'))
    symlinkSync(outside, join(root, 'ralph/deep'))
    for (const path of ['.ralph/log', '.ralph/new/log', 'ralph/deep/log']) {
      expect(writeInside(root, path, bytes, { walk })).toMatchObject({
        ok: false,
        error: { reason: 'unsafe-file', path: join(root, path), why: 'its directory is a link' },
      })
    }
    expect(readdirSync(outside)).toEqual([])
  })

  it.skipIf(skip)('refuses a directory at the name, a file on the way, and a path that leads out', () => {
    const root = scratch()
    mkdirSync(join(root, 'directory'))
    writeFileSync(join(root, 'file'), 'old')
    for (const path of ['directory', 'file/below', '../outside', '/tmp/outside', 'a/../../b', '']) {
      expect(writeInside(root, path, bytes, { walk })).toMatchObject({ ok: false, error: { reason: 'unsafe-file' } })
    }
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('old')
    expect(readdirSync(root).sort()).toEqual(['directory', 'file'])
  })

  it.skipIf(skip)('fails with its code when the root is gone', () => {
    expect(writeInside(join(scratch(), 'gone'), 'a', bytes, { walk })).toMatchObject({
      ok: false,
      error: { reason: 'storage', code: 'ENOENT' },
    })
  })
})

it.skipIf(process.platform !== 'linux')(
  '60 ralph-dir-symlink: not even one that is exchanged for the directory while it is written (Linux only)',
  async () => {
    const root = scratch()
    const outside = scratch()
    symlinkSync(outside, join(root, 'evil'))
    mkdirSync(join(root, '.ralph'))
    await whileSwapping(join(root, '.ralph'), join(root, 'evil'), () => {
      writeInside(root, '.ralph/log', bytes)
    })
    expect(readdirSync(outside)).toEqual([])
  },
)

describe('removeInside', () => {
  it('removes a file or a link, never what the link points to, and does not mind that it is missing', () => {
    const root = scratch()
    const outside = scratch()
    writeFileSync(join(outside, 'keep'), 'mine')
    writeFileSync(join(root, 'file'), 'x')
    symlinkSync(join(outside, 'keep'), join(root, 'link'))
    for (const path of ['file', 'link', 'missing', 'no/such/directory']) expect(removeInside(root, path)).toEqual(done)
    expect(readdirSync(root)).toEqual([])
    expect(readdirSync(outside)).toEqual(['keep'])
  })

  it('60 ralph-dir-symlink: does not remove through a directory that is a link', () => {
    const root = scratch()
    const outside = scratch()
    writeFileSync(join(outside, 'keep'), 'mine')
    symlinkSync(outside, join(root, '.ralph'))
    expect(removeInside(root, '.ralph/keep')).toMatchObject({ ok: false, error: { reason: 'unsafe-file' } })
    expect(removeInside(root, '../keep')).toMatchObject({ ok: false, error: { reason: 'unsafe-file' } })
    expect(readdirSync(outside)).toEqual(['keep'])
  })

  it('fails with its code at a directory', () => {
    const root = scratch()
    mkdirSync(join(root, 'directory'))
    expect(removeInside(root, 'directory')).toMatchObject({ ok: false, error: { reason: 'storage' } })
  })
})

describe('removeDrafts', () => {
  it('removes what a killed writer left, and nothing that only looks like it', () => {
    const root = scratch()
    const outside = scratch()
    mkdirSync(join(root, 'ralph'))
    mkdirSync(join(root, '.ralph-draft-0123456789ab'))
    symlinkSync(outside, join(root, '.ralph'))
    const left = ['.ralph-draft-00112233445', 'ralph/.ralph-draft-notes', 'ralph/tasks.json']
    const gone = ['.ralph-draft-001122334455', 'ralph/.ralph-draft-ffffffffffff']
    for (const name of [...left, ...gone]) writeFileSync(join(root, name), '')
    writeFileSync(join(outside, '.ralph-draft-001122334455'), '')
    expect(removeDrafts(root, [[], ['ralph'], ['.ralph'], ['missing']])).toEqual(done)
    expect(readdirSync(root)).toEqual(['.ralph', '.ralph-draft-00112233445', '.ralph-draft-0123456789ab', 'ralph'])
    expect(readdirSync(join(root, 'ralph'))).toEqual(['.ralph-draft-notes', 'tasks.json'])
    expect(readdirSync(outside)).toEqual(['.ralph-draft-001122334455'])
  })
})
