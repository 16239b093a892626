import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/base/json.ts'
import { readBytes } from '../../../src/store/read-bytes.ts'
import { readSmall } from '../../../src/store/read-small.ts'
import { bundleProgram } from '../../support/bundle-program.ts'
import { scratch } from '../../support/scratch.ts'
import { whileSwapping } from '../../support/while-swapping.ts'

const unreadable = (why: string): unknown => ({ kind: 'unreadable', why })
const openDescriptors = (): number => readdirSync('/proc/self/fd').length

describe('readSmall', () => {
  it('gives the text of a regular file, byte for byte', () => {
    const root = scratch()
    const text = '\u{feff}{"a": "ä😀\u{2028}\0"}\r\n'
    writeFileSync(join(root, 'tasks.json'), text)
    expect(readSmall(root, 'tasks.json')).toEqual({ kind: 'text', text })
  })

  it('finds files in directories, and empty ones', () => {
    const root = scratch()
    mkdirSync(join(root, 'a/b'), { recursive: true })
    writeFileSync(join(root, 'a/b/c'), '')
    expect(readSmall(root, 'a/b/c')).toEqual({ kind: 'text', text: '' })
  })

  it('reads a file that has a second hard link: it gives nothing away', () => {
    const root = scratch()
    writeFileSync(join(root, 'a'), 'x')
    linkSync(join(root, 'a'), join(root, 'b'))
    expect(readSmall(root, 'b')).toEqual({ kind: 'text', text: 'x' })
  })

  it.each(['nothing', 'no/such/directory'])('says that %s is missing', (path) => {
    expect(readSmall(scratch(), path)).toEqual({ kind: 'missing' })
  })

  it.each(['../outside', 'a/../../outside', '/etc/passwd', '', '.', 'a//b', 'a/', 'a\0b'])(
    'refuses the path %j',
    (path) => {
      const root = scratch()
      mkdirSync(join(root, 'a'))
      expect(readSmall(root, path)).toEqual(unreadable('its path leads out of the directory'))
    },
  )

  it('refuses a file in place of a directory', () => {
    const root = scratch()
    writeFileSync(join(root, 'a'), 'x')
    expect(readSmall(root, 'a/b')).toEqual(unreadable('its directory is something else'))
  })

  it('refuses text that is not UTF-8 instead of repairing it', () => {
    const root = scratch()
    writeFileSync(join(root, 'a'), Buffer.from([0x61, 0xff, 0x62]))
    expect(readSmall(root, 'a')).toEqual(unreadable('it is not UTF-8 text'))
    expect(readBytes(root, 'a')).toEqual({ kind: 'bytes', bytes: Buffer.from([0x61, 0xff, 0x62]) })
  })

  it('takes exactly as many bytes as allowed', () => {
    const root = scratch()
    writeFileSync(join(root, 'a'), 'x'.repeat(100))
    expect(readSmall(root, 'a', 100)).toEqual({ kind: 'text', text: 'x'.repeat(100) })
    expect(readSmall(root, 'a', 99)).toEqual(unreadable('it is larger than 99 bytes'))
  })

  it('refuses a directory and a socket', async () => {
    const root = scratch()
    mkdirSync(join(root, 'directory'))
    expect(readSmall(root, 'directory')).toEqual(unreadable('it is a directory'))
    const server = createServer().listen(join(root, 'socket'))
    await once(server, 'listening')
    expect(readSmall(root, 'socket')).toEqual(unreadable('it is a device or a socket'))
    server.close()
    await once(server, 'close')
  })

  it.skipIf(process.getuid?.() === 0)('says so when it may not read (not as root)', () => {
    const root = scratch()
    writeFileSync(join(root, 'a'), 'x')
    chmodSync(join(root, 'a'), 0)
    expect(readSmall(root, 'a')).toEqual(unreadable('it cannot be read (EACCES)'))
  })

  it.skipIf(process.platform !== 'linux')('leaves no descriptor open, whatever it finds (Linux only)', () => {
    const root = scratch()
    mkdirSync(join(root, 'a'))
    symlinkSync('a', join(root, 'link'))
    writeFileSync(join(root, 'a/large'), 'x'.repeat(100))
    const before = openDescriptors()
    for (const path of ['a/large', 'a/nothing', 'link/large', 'a/large/x', 'a', 'no/no/no', '../x'])
      readSmall(root, path, 10)
    expect(openDescriptors()).toBe(before)
  })
})

describe.each([
  ['through descriptors', { descriptorPaths: true }],
  ['by path, as on macOS', { descriptorPaths: false }],
])('links on the way, %s', (name, walk) => {
  const skip = name.includes('descriptors') && process.platform !== 'linux'

  it.skipIf(skip)('60 ralph-dir-symlink: a directory that is a link is not entered', () => {
    const root = scratch()
    const outside = scratch()
    writeFileSync(join(outside, 'tasks.json'), 'secret')
    symlinkSync(outside, join(root, 'ralph'))
    mkdirSync(join(root, 'real'))
    symlinkSync(outside, join(root, 'real/inner'))
    expect(readBytes(root, 'ralph/tasks.json', 100, walk)).toEqual(unreadable('its directory is a link'))
    expect(readBytes(root, 'real/inner/tasks.json', 100, walk)).toEqual(unreadable('its directory is a link'))
  })

  it.skipIf(skip)('a root that has become a link is not entered', () => {
    const outside = scratch()
    writeFileSync(join(outside, 'tasks.json'), 'secret')
    const root = join(scratch(), 'project')
    symlinkSync(outside, root)
    expect(readBytes(root, 'tasks.json', 100, walk)).toEqual(unreadable('its directory is a link'))
  })

  it.skipIf(skip)('a file that is a link is not read, also one that points nowhere', () => {
    const root = scratch()
    writeFileSync(join(root, 'real'), 'x')
    symlinkSync('real', join(root, 'link'))
    symlinkSync('nowhere', join(root, 'dangling'))
    expect(readBytes(root, 'link', 100, walk)).toEqual(unreadable('it is a link'))
    expect(readBytes(root, 'dangling', 100, walk)).toEqual(unreadable('it is a link'))
  })
})

describe('files made to hurt the reader', () => {
  it('55 tasks-json-fifo: does not wait for a writer', () => {
    const root = scratch()
    expect(spawnSync('mkfifo', [join(root, 'tasks.json')]).status).toBe(0)
    expect(readSmall(root, 'tasks.json')).toEqual(unreadable('it is a FIFO'))
  })

  it('55 tasks-json-fifo: SIGTERM still works while one is read again and again', async () => {
    const root = scratch()
    spawnSync('mkfifo', [join(root, 'tasks.json')])
    const child = spawn(process.execPath, [bundleProgram('fifo-reader', scratch()), root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(42)
  })

  it('55 tasks-json-fifo: not even one that is exchanged for the file while it is read', async () => {
    const root = scratch()
    writeFileSync(join(root, 'tasks.json'), 'good')
    spawnSync('mkfifo', [join(root, 'evil')])
    await whileSwapping(join(root, 'tasks.json'), join(root, 'evil'), () => {
      expect(['text', 'missing', 'unreadable']).toContain(readSmall(root, 'tasks.json').kind)
    })
  })

  it.skipIf(process.platform !== 'linux')(
    '60 ralph-dir-symlink: not even one that is exchanged for the directory while it is read (Linux only)',
    async () => {
      const root = scratch()
      const outside = scratch()
      writeFileSync(join(outside, 'tasks.json'), 'secret')
      symlinkSync(outside, join(root, 'evil'))
      mkdirSync(join(root, 'ralph'))
      writeFileSync(join(root, 'ralph/tasks.json'), 'good')
      await whileSwapping(join(root, 'ralph'), join(root, 'evil'), () => {
        expect(readSmall(root, 'ralph/tasks.json')).not.toEqual({ kind: 'text', text: 'secret' })
      })
    },
  )

  it('56 tasks-json-dev-zero-link: a link to an endless device is refused', () => {
    const root = scratch()
    symlinkSync('/dev/zero', join(root, 'tasks.json'))
    expect(readSmall(root, 'tasks.json')).toEqual(unreadable('it is a link'))
    expect(readSmall('/dev', 'zero')).toEqual(unreadable('it is a device or a socket'))
  })

  it('57 tasks-json-sparse-3tb: refused by its size, before a byte is read', () => {
    const root = scratch()
    writeFileSync(join(root, 'tasks.json'), '')
    truncateSync(join(root, 'tasks.json'), 3 * 1024 ** 4)
    expect(readSmall(root, 'tasks.json')).toEqual(unreadable('it is larger than 8388608 bytes'))
  })

  it('57 tasks-json-sparse-3tb: not even one that is exchanged for the file while it is read', async () => {
    const root = scratch()
    writeFileSync(join(root, 'tasks.json'), 'good')
    writeFileSync(join(root, 'evil'), '')
    truncateSync(join(root, 'evil'), 3 * 1024 ** 4)
    await whileSwapping(join(root, 'tasks.json'), join(root, 'evil'), () => {
      expect(['text', 'missing', 'unreadable']).toContain(readSmall(root, 'tasks.json').kind)
    })
  })

  it.skipIf(process.platform !== 'linux')(
    'a regular file that hides its size is cut off while it is read (Linux only)',
    () => {
      // Files of /proc say that they have no bytes.
      expect(readSmall(`/proc/${process.pid}`, 'status', 10)).toEqual(unreadable('it is larger than 10 bytes'))
      expect(readSmall(`/proc/${process.pid}`, 'status')).toMatchObject({
        kind: 'text',
        text: expect.stringContaining('VmRSS') as string,
      })
    },
  )

  it('58 tasks-json-depth-50k: is read as text and refused as JSON', () => {
    const root = scratch()
    writeFileSync(join(root, 'tasks.json'), '['.repeat(50_000) + ']'.repeat(50_000))
    const seen = readSmall(root, 'tasks.json')
    expect(seen.kind === 'text' && parseJson(seen.text)).toEqual({ ok: false, error: 'nested deeper than 64 levels' })
  })
})
