import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openObjects } from '../../../src/store/objects.ts'
import { replaceFile } from '../../../src/store/replace-file.ts'
import { bundleProgram } from '../../support/bundle-program.ts'
import { scratch } from '../../support/scratch.ts'
import { hasStrace, runWithFault, straceReason, traceCalls } from '../../support/strace.ts'

describe('replaceFile', () => {
  it('writes a file that only its owner reads, and replaces it', () => {
    const directory = scratch()
    const path = join(directory, 'file')
    for (const text of ['first', 'second']) {
      expect(replaceFile(path, Buffer.from(text))).toEqual({ ok: true, value: undefined })
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['file'])
  })

  it('replaces a link and not what it points to', () => {
    const directory = scratch()
    writeFileSync(join(directory, 'target'), 'mine')
    symlinkSync('target', join(directory, 'link'))
    replaceFile(join(directory, 'link'), Buffer.from('x'))
    expect(readFileSync(join(directory, 'target'), 'utf8')).toBe('mine')
  })

  it('fails with its code and leaves no draft', () => {
    const directory = scratch()
    mkdirSync(join(directory, 'taken'))
    const replaced = replaceFile(join(directory, 'taken'), Buffer.from('x'))
    expect(replaced).toMatchObject({ ok: false, error: { reason: 'storage', doing: 'write', code: 'EISDIR' } })
    expect(readdirSync(directory)).toEqual(['taken'])
  })
})

describe('objects', () => {
  const bytes = Buffer.from('content')
  const hash = createHash('sha256').update(bytes).digest('hex')
  const placeOf = (directory: string): string => join(directory, hash.slice(0, 2), hash.slice(2))

  it('come back under the hash of their content', () => {
    const objects = openObjects(scratch())
    expect(objects.put(bytes)).toEqual({ ok: true, value: hash })
    expect(objects.get(hash)).toEqual({ ok: true, value: bytes })
  })

  it('are written once', () => {
    const directory = scratch()
    const objects = openObjects(directory)
    objects.put(bytes)
    const { ino } = statSync(placeOf(directory))
    expect(objects.put(bytes)).toEqual({ ok: true, value: hash })
    expect(statSync(placeOf(directory)).ino).toBe(ino)
    expect(statSync(placeOf(directory)).mode & 0o777).toBe(0o600)
  })

  it('that were changed on the disk are never given out, and are put right by putting them again', () => {
    const directory = scratch()
    const objects = openObjects(directory)
    objects.put(bytes)
    writeFileSync(placeOf(directory), 'forged')
    expect(objects.get(hash)).toMatchObject({ ok: false, error: { why: 'its content is not what was stored' } })
    objects.put(bytes)
    expect(objects.get(hash)).toEqual({ ok: true, value: bytes })
  })

  it('that are missing are a failure with its code', () => {
    expect(openObjects(scratch()).get('0'.repeat(64))).toMatchObject({ ok: false, error: { code: 'ENOENT' } })
  })

  it('are asked for by hash only', () => {
    expect(() => openObjects(scratch()).get('../../etc/passwd')).toThrow('not an object')
  })
})

describe('a writer that is killed or refused', () => {
  const versions = ['1', '2'].map((version) => version.repeat(20_000))
  const hashes = versions.map((text) => createHash('sha256').update(text).digest('hex'))
  const calls = ['write', 'fsync', '?rename,?renameat,?renameat2', '?mkdir,?mkdirat']

  /** What is there after all: complete, and not older than what was acknowledged. */
  function check(how: string, directory: string, acknowledged: readonly string[]): void {
    if (how === 'object') {
      const objects = openObjects(directory)
      for (const hash of acknowledged) expect(objects.get(hash).ok).toBe(true)
      for (const text of versions) expect(objects.put(Buffer.from(text)).ok).toBe(true)
      for (const hash of hashes) expect(objects.get(hash).ok).toBe(true)
      return
    }
    const path = join(directory, how === 'inside' ? 'a/file' : 'file')
    let text = ''
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOENT' })
    }
    expect(['', ...versions].indexOf(text)).toBeGreaterThanOrEqual(Number(acknowledged.at(-1) ?? 0))
  }

  it.skipIf(!hasStrace).each(['replace', 'inside', 'object'])(
    `at every k-th call: %s leaves a complete version, at least the last acknowledged${straceReason}`,
    (how) => {
      const bundles = scratch()
      const program = bundleProgram('file-replacer', bundles)
      for (const call of calls) {
        for (let k = 1, killed = true; killed; k++) {
          const directory = join(bundles, `${how}-${call}-${k}`)
          mkdirSync(directory)
          const ran = runWithFault(program, [how, directory], { calls: call, what: 'signal=KILL', when: String(k) })
          check(how, directory, ran.stdout.split('\n').filter(Boolean))
          killed = ran.killed
          expect(k).toBeLessThan(100)
        }
      }
    },
  )

  it.skipIf(!hasStrace).each(['EIO', 'ENOSPC'])(
    `%s at the k-th fsync or rename keeps the old version and leaves no draft${straceReason}`,
    (error) => {
      const bundles = scratch()
      const program = bundleProgram('file-replacer', bundles)
      for (const call of ['fsync', '?rename,?renameat,?renameat2']) {
        // The first fsync of a version is the file's, the second its directory's: by then the new one is there.
        for (const k of call === 'fsync' ? [1, 3] : [1, 2]) {
          const directory = join(bundles, `${call}-${k}`)
          mkdirSync(directory)
          const ran = runWithFault(program, ['replace', directory], {
            calls: call,
            what: `error=${error}`,
            when: `${k}+`,
          })
          const good = call === 'fsync' ? (k - 1) / 2 : k - 1
          expect(ran.stdout.match(new RegExp(`"code":"${error}"`, 'g')) ?? []).toHaveLength(2 - good)
          expect(readdirSync(directory)).toEqual(good === 0 ? [] : ['file'])
          if (good > 0) expect(readFileSync(join(directory, 'file'), 'utf8')).toBe(versions[good - 1])
        }
      }
    },
  )
})

// A kill does not lose what only the kernel has; a power loss does. So the order of the calls is what must hold.
it.skipIf(!hasStrace)(
  `a new version is on the disk before it gets its name, and its name before the answer${straceReason}`,
  () => {
    const directory = scratch()
    const program = bundleProgram('file-replacer', directory)
    const traced = traceCalls(program, ['replace', directory], 'write,fsync,?rename,?renameat,?renameat2')
    const relevant = traced
      .filter((call) => call.includes(directory) || call === 'write(stdout)')
      .map((call) => call.replace(/\.[0-9a-f]{12}\.draft/, '.draft'))
    const draft = join(directory, 'file.draft')
    const one = [`write(${draft})`, `fsync(${draft})`, `rename(${draft})`, `fsync(${directory})`, 'write(stdout)']
    expect(relevant.map((call) => call.replace(/^renameat2?/, 'rename'))).toEqual([...one, ...one])
  },
)
