import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodePath } from '../../../src/git/git-path.ts'
import { failure, isThere, Lab, value, type Begun } from '../../support/repositories.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

const at = (path: string): string => join(lab.project, path)
const outsideFile = (): string => lab.write(join(lab.root, 'outside/victim.txt'), 'outside\n')

/** Every way of saying it: observed, put back, and the tree is the old one again. */
async function changeAndRestore(begun: Begun, change: () => void): Promise<readonly unknown[]> {
  change()
  const view = await begun.look()
  const rejected = value(
    await begun.referee.restore(
      begun.base.tree,
      view.changes.map(({ path }) => path),
    ),
  )
  expect((await begun.look()).changes).toEqual([])
  return [view.changes, rejected.map(({ path, kind }) => `${path} ${kind}`)]
}

describe('names', () => {
  const odd = [
    'with space.txt',
    ' leading and trailing ',
    'new\nline.txt',
    'tab\t"quote".txt',
    'bidi\u{202e}txt.exe',
    'zero\u{200b}width',
    ':(top)magic',
    '-rf',
    '*.txt',
    'ünïcode/日本語.txt',
    'back\\slash',
  ]
  it.each(odd)('%j is added, read, committed and put back', async (name) => {
    lab.start({ 'README.md': 'hello\n' })
    const begun = await lab.begin()
    lab.write(name, 'odd\n')
    const view = await begun.look()
    expect(view.changes).toEqual([{ path: name, kind: 'added', now: 'file' }])
    expect(value(await begun.referee.read(view.tree, name))?.toString()).toBe('odd\n')
    const left = value(await begun.referee.commitLeftOver({ view, iteration: 1 }))
    const commit = left.kind === 'committed' ? left.commit : ''
    expect(value(await begun.referee.listFiles(commit))).toContain(name)
    value(await begun.referee.deliver({ commit, branch: 'main', expected: begun.base.commit }))
    expect(lab.git('status', '--porcelain')).toBe('')
    value(await begun.referee.restore(begun.base.tree, [name]))
    expect(isThere(at(name))).toBe(false)
  })

  it.runIf(process.platform === 'linux')('that are not UTF-8 lead back to the same bytes', async () => {
    lab.start()
    const begun = await lab.begin()
    const name = Buffer.from([0x66, 0xff, 0xe9, 0x2e, 0x74])
    writeFileSync(Buffer.concat([Buffer.from(`${lab.project}/`), name]), 'bytes\n')
    const path = decodePath(name)
    const view = await begun.look()
    expect(view.changes).toEqual([{ path, kind: 'added', now: 'file' }])
    expect(JSON.parse(JSON.stringify(path))).toBe(path)
    expect(value(await begun.referee.read(view.tree, path))?.toString()).toBe('bytes\n')
    value(await begun.referee.restore(begun.base.tree, [path]))
    expect((await begun.look()).changes).toEqual([])
  })

  it('with an ignored odd name are named', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.write('.gitignore', '*\n')
    lab.write(':x\n y', 'hidden')
    expect((await begun.look()).newlyIgnored).toEqual(['.gitignore', ':x\n y'])
  })

  it('that leave the project are refused', async () => {
    lab.start()
    const { referee, base } = await lab.begin()
    for (const path of ['../x', '/etc/passwd', '.git/config', 'a/../../x', 'sub/.GIT/hooks/x', '']) {
      expect(failure(await referee.restore(base.tree, [path])).reason).toBe('unsafe-file')
      expect(value(await referee.read(base.tree, path))).toBeNull()
    }
  })
})

describe('what a path can become', () => {
  const files = { 'README.md': 'hello\n', 'dir/a.txt': 'a\n', 'dir/b.txt': 'b\n', 'run.sh': '#!/bin/sh\n' }

  it('a file replaced by a directory', async () => {
    lab.start(files)
    const [changes, rejected] = await changeAndRestore(await lab.begin(), () => {
      rmSync(at('README.md'))
      lab.write('README.md/inner.txt', 'inner\n')
    })
    expect(changes).toEqual([
      { path: 'README.md', kind: 'deleted', now: 'nothing' },
      { path: 'README.md/inner.txt', kind: 'added', now: 'file' },
    ])
    expect(rejected).toEqual(['README.md/inner.txt file', 'README.md directory'])
  })

  it('a directory replaced by a file', async () => {
    lab.start(files)
    const [changes, rejected] = await changeAndRestore(await lab.begin(), () => {
      rmSync(at('dir'), { recursive: true })
      lab.write('dir', 'a file\n')
    })
    expect(changes).toHaveLength(3)
    expect(rejected).toEqual(['dir file'])
    expect(readFileSync(at('dir/b.txt'), 'utf8')).toBe('b\n')
  })

  it('a directory replaced by a link: what it points to is neither seen nor touched', async () => {
    const victim = outsideFile()
    lab.write(join(lab.root, 'outside/a.txt'), 'a\n')
    lab.write(join(lab.root, 'outside/b.txt'), 'b\n')
    lab.start(files)
    const [changes, rejected] = await changeAndRestore(await lab.begin(), () => {
      rmSync(at('dir'), { recursive: true })
      symlinkSync(join(lab.root, 'outside'), at('dir'))
    })
    expect(changes).toEqual([
      { path: 'dir', kind: 'added', now: 'link' },
      { path: 'dir/a.txt', kind: 'deleted', now: 'nothing' },
      { path: 'dir/b.txt', kind: 'deleted', now: 'nothing' },
    ])
    expect(rejected).toEqual(['dir link'])
    expect(readFileSync(victim, 'utf8')).toBe('outside\n')
    expect(readFileSync(join(lab.root, 'outside/a.txt'), 'utf8')).toBe('a\n')
    expect(lstatSync(at('dir')).isDirectory()).toBe(true)
  })

  it('an ignored link in the place of a directory', async () => {
    const victim = outsideFile()
    lab.start({ ...files, '.gitignore': 'dir\n' })
    lab.git('add', '-f', 'dir')
    lab.git('commit', '-q', '-m', 'tracked though ignored')
    const begun = await lab.begin()
    rmSync(at('dir'), { recursive: true })
    symlinkSync(join(lab.root, 'outside'), at('dir'))
    expect((await begun.look()).changes).toHaveLength(2)
    value(await begun.referee.restore(begun.base.tree, ['dir/a.txt', 'dir/victim.txt']))
    expect(readFileSync(victim, 'utf8')).toBe('outside\n')
    expect(readFileSync(at('dir/a.txt'), 'utf8')).toBe('a\n')
  })

  it('a file replaced by a link outside, which is not written through', async () => {
    const victim = outsideFile()
    lab.start(files)
    const [changes] = await changeAndRestore(await lab.begin(), () => {
      rmSync(at('README.md'))
      symlinkSync(victim, at('README.md'))
    })
    expect(changes).toEqual([{ path: 'README.md', kind: 'modified', now: 'link' }])
    expect(readFileSync(victim, 'utf8')).toBe('outside\n')
  })

  it('a link of the project pointed elsewhere, or made a file', async () => {
    lab.start(files)
    symlinkSync('README.md', at('link'))
    lab.commit('link')
    const begun = await lab.begin()
    await changeAndRestore(begun, () => {
      rmSync(at('link'))
      symlinkSync('/etc/passwd', at('link'))
    })
    expect(readlinkSync(at('link'))).toBe('README.md')
    await changeAndRestore(begun, () => {
      rmSync(at('link'))
      lab.write('link', 'file\n')
    })
    expect(readlinkSync(at('link'))).toBe('README.md')
  })

  it('a mode', async () => {
    lab.start(files)
    const [changes] = await changeAndRestore(await lab.begin(), () => chmodSync(at('run.sh'), 0o755))
    expect(changes).toEqual([{ path: 'run.sh', kind: 'modified', now: 'executable' }])
    expect(lstatSync(at('run.sh')).mode & 0o111).toBe(0)
  })

  it('a file without permissions', async () => {
    lab.start(files)
    const begun = await lab.begin()
    chmodSync(at('README.md'), 0)
    lab.write('new.txt', 'new\n')
    chmodSync(at('new.txt'), 0)
    const view = await begun.look()
    if (process.getuid?.() === 0) expect(view.changes.map(({ path }) => path)).toEqual(['new.txt'])
    else expect(view.leftOut.map(({ path }) => path)).toEqual(['README.md', 'new.txt'])
    expect(view.uncommitted).not.toContain('README.md')
  })

  it('a FIFO, which holds nobody', async () => {
    lab.start(files)
    const begun = await lab.begin()
    rmSync(at('README.md'))
    execFileSync('mkfifo', [at('README.md'), at('new-fifo')])
    const view = await begun.look()
    expect(view.changes).toEqual([{ path: 'README.md', kind: 'deleted', now: 'nothing' }])
    expect(view.leftOut).toEqual([{ path: 'README.md', why: 'it is neither a file nor a link' }])
    expect(view.uncommitted).toEqual([])
    value(await begun.referee.restore(begun.base.tree, ['README.md']))
    expect(readFileSync(at('README.md'), 'utf8')).toBe('hello\n')
  })

  it.each(['.gitignore', '.gitattributes'])('a FIFO where git looks for %s holds nobody for long', async (name) => {
    lab.start(files)
    const begun = await lab.begin({ lookTimeoutMs: 1500 })
    execFileSync('mkfifo', [at(`dir/${name}`)])
    lab.write('dir/a.txt', 'changed\n')
    const view = await begun.look()
    expect(view.changes).toEqual([{ path: 'dir/a.txt', kind: 'modified', now: 'file' }])
    expect(view.leftOut.map(({ path }) => path)).toEqual([`dir/${name}`])
    expect(isThere(at(`dir/${name}`))).toBe(false)
  })

  it('an ignore file of a terabyte, which is taken out', async () => {
    lab.start(files)
    const { look } = await lab.begin()
    truncateSync(lab.write('dir/.gitignore', ''), 2 ** 40)
    lab.write('new.txt', 'new\n')
    const view = await look()
    expect(view.leftOut.map(({ path }) => path)).toEqual(['dir/.gitignore'])
    expect(view.changes.map(({ path }) => path)).toEqual(['new.txt'])
  })

  it.each([false, true])('a terabyte of nothing, which is not kept (thorough: %s)', async (thorough) => {
    lab.start(files)
    const { look, referee, base } = await lab.begin()
    truncateSync(at('README.md'), 2 ** 40)
    const { changes } = await look({ thorough })
    expect(changes).toMatchObject([{ path: 'README.md', kind: 'deleted' }])
    const taken = value(await referee.restore(base.tree, ['README.md']))
    expect(taken).toMatchObject([{ path: 'README.md', content: null, savedAs: null }])
    expect((await look()).changes).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)('below a directory without permissions, which nobody can look into', async () => {
    lab.start(files)
    const { look } = await lab.begin({}, { watch: ['dir/a.txt'] })
    chmodSync(at('dir'), 0)
    const { uncommitted } = await look()
    chmodSync(at('dir'), 0o755)
    expect(uncommitted).toEqual([])
  })

  it('of an encoding that it only claims to have: seen as gone, and the others as they are', async () => {
    lab.start(files)
    const begun = await lab.begin()
    lab.write('.gitattributes', 'dir/* working-tree-encoding=UTF-16\n')
    lab.write('dir/a.txt', 'changed\n')
    lab.write('README.md', 'changed\n')
    lab.write('new.txt', 'new\n')
    expect(() => lab.git('add', '-A')).toThrow('BOM')
    const view = await begun.look()
    expect(view.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'added .gitattributes',
      'modified README.md',
      'deleted dir/a.txt',
      'added new.txt',
    ])
    expect(view.leftOut.map(({ path }) => path)).toEqual(['dir/a.txt'])
    expect(view.uncommitted).not.toContain('dir/a.txt')
  })

  it('another case of the same name', async () => {
    lab.start(files)
    const [changes] = await changeAndRestore(await lab.begin(), () => renameSync(at('README.md'), at('Readme.md')))
    expect(changes).toEqual([
      { path: 'README.md', kind: 'deleted', now: 'nothing' },
      { path: 'Readme.md', kind: 'added', now: 'file' },
    ])
  })

  it('an empty directory is nothing', async () => {
    lab.start(files)
    const { look } = await lab.begin()
    mkdirSync(at('empty/deeper'), { recursive: true })
    expect((await look()).changes).toEqual([])
  })

  it('gone with its directory', async () => {
    lab.start(files)
    await changeAndRestore(await lab.begin(), () => rmSync(at('dir'), { recursive: true }))
    expect(readFileSync(at('dir/a.txt'), 'utf8')).toBe('a\n')
  })

  it('a nested repository taken out whole, and handed over', async () => {
    lab.start(files)
    const begun = await lab.begin()
    mkdirSync(at('nested'))
    lab.gitIn(at('nested'), 'init', '-q')
    lab.write('nested/work.txt', 'work\n')
    expect((await begun.look()).nestedRepositories).toEqual(['nested'])
    const rejected = value(await begun.referee.restore(begun.base.tree, ['nested']))
    expect(rejected.find(({ path }) => path === 'nested/work.txt')?.content?.toString()).toBe('work\n')
    expect(existsSync(at('nested'))).toBe(false)
  })

  describe('a repository inside that the agent has committed', () => {
    /** Finds it, puts it back and commits that; gives what the commits of both have other than the start. */
    async function putBack({ referee, base, look }: Begun, path: string): Promise<string> {
      expect((await look()).nestedRepositories).toEqual([path])
      value(await referee.restore(base.tree, [path]))
      const view = await look()
      expect(view.nestedRepositories).toEqual([])
      const commit = value(
        await referee.commit({
          parent: view.head ?? '',
          tree: view.tree,
          paths: [path],
          message: 'back',
          iteration: 1,
        }),
      )
      value(await referee.deliver({ commit: commit ?? '', branch: 'main', expected: view.head ?? '' }))
      expect((await look()).uncommitted).toEqual([])
      expect(lab.git('status', '--porcelain')).toBe('')
      return lab.git('diff', '--name-only', base.commit, 'HEAD')
    }

    function nest(path: string): void {
      mkdirSync(at(path))
      lab.gitIn(at(path), 'init', '-q')
      lab.gitIn(at(path), 'commit', '-q', '--allow-empty', '-m', 'n')
      lab.git('-c', 'advice.addEmbeddedRepo=false', 'add', path)
      lab.git('commit', '-q', '-m', 'sub')
    }

    it('is in no commit any more', async () => {
      lab.start(files)
      const begun = await lab.begin()
      nest('nested')
      expect(await putBack(begun, 'nested')).toBe('')
    })

    it('is found in the place of a file, and the file comes back', async () => {
      lab.start(files)
      const begun = await lab.begin()
      rmSync(at('dir/a.txt'))
      nest('dir/a.txt')
      expect(await putBack(begun, 'dir/a.txt')).toBe('')
      expect(readFileSync(at('dir/a.txt'), 'utf8')).toBe('a\n')
    })

    it('is found where nothing of it is on the disk', async () => {
      lab.start(files)
      const begun = await lab.begin()
      lab.git('update-index', '--add', '--cacheinfo', `160000,${begun.base.commit},nested`)
      lab.git('commit', '-q', '-m', 'sub')
      expect(await putBack(begun, 'nested')).toBe('')
    })

    it('hides nothing that lies in its place', async () => {
      lab.start(files)
      const begun = await lab.begin()
      lab.git('update-index', '--add', '--cacheinfo', `160000,${begun.base.commit},nested`)
      lab.git('commit', '-q', '-m', 'sub')
      lab.write('nested/hidden.js', 'hidden\n')
      value(await begun.referee.restore(begun.base.tree, ['nested']))
      expect((await begun.look()).untracked).toEqual(['nested/hidden.js'])
    })
  })

  it('a submodule that was there and moved, or is gone, is the one of the start again', async () => {
    lab.start(files)
    lab.git('update-index', '--add', '--cacheinfo', `160000,${lab.git('rev-parse', 'HEAD').trim()},sub`)
    lab.git('commit', '-q', '-m', 'sub')
    mkdirSync(at('sub'))
    const begun = await lab.begin()
    lab.git('update-index', '--cacheinfo', `160000,${begun.base.commit},sub`)
    lab.git('commit', '-q', '-m', 'moves it')
    expect((await begun.look()).changes).toEqual([{ path: 'sub', kind: 'modified', now: 'nested-repository' }])
    value(await begun.referee.restore(begun.base.tree, ['sub']))
    expect(await begun.look()).toMatchObject({ tree: begun.base.tree, changes: [], uncommitted: ['sub'] })
    lab.git('rm', '-q', '--cached', 'sub')
    lab.git('commit', '-q', '-m', 'removes it')
    expect((await begun.look()).changes).toEqual([{ path: 'sub', kind: 'deleted', now: 'nothing' }])
    value(await begun.referee.restore(begun.base.tree, ['sub']))
    expect(await begun.look()).toMatchObject({ tree: begun.base.tree, changes: [], uncommitted: ['sub'] })
  })
})

describe('restoring', () => {
  it('touches nothing else: neither ignored files nor neighbours', async () => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '*.local\n', 'dir/a.txt': 'a\n' })
    lab.write('dir/settings.local', 'mine\n')
    const begun = await lab.begin()
    lab.write('dir/a.txt', 'changed\n')
    lab.write('dir/new.txt', 'new\n')
    lab.write('other.txt', 'other\n')
    value(await begun.referee.restore(begun.base.tree, ['dir/a.txt', 'dir/new.txt']))
    expect(readFileSync(at('dir/settings.local'), 'utf8')).toBe('mine\n')
    expect(readFileSync(at('other.txt'), 'utf8')).toBe('other\n')
    expect(isThere(at('dir/new.txt'))).toBe(false)
  })

  it('does not take a directory for a path that is not in the tree', async () => {
    lab.start({ 'README.md': 'hello\n', 'dir/a.txt': 'a\n' })
    const { referee, base } = await lab.begin()
    expect(value(await referee.restore(base.tree, ['dir']))).toEqual([])
    expect(readFileSync(at('dir/a.txt'), 'utf8')).toBe('a\n')
  })

  it('hands over what it took out, a large file as a copy', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.write('small.txt', 'small\n')
    lab.write('large.bin', Buffer.alloc(2_000_000, 7))
    const rejected = value(await begun.referee.restore(begun.base.tree, ['small.txt', 'large.bin']))
    const [small, large] = [
      rejected.find(({ path }) => path === 'small.txt'),
      rejected.find(({ path }) => path === 'large.bin'),
    ]
    expect(small?.content?.toString()).toBe('small\n')
    expect(readFileSync(large?.savedAs ?? '').equals(Buffer.alloc(2_000_000, 7))).toBe(true)
  })

  it('writes the bytes of the snapshot whatever attribute files say now', async () => {
    lab.start({ 'run.sh': 'one\ntwo\n' })
    const begun = await lab.begin()
    lab.write('.gitattributes', '* text eol=crlf\n')
    lab.write('run.sh', 'changed\n')
    value(await begun.referee.restore(begun.base.tree, ['run.sh']))
    expect(readFileSync(at('run.sh'), 'utf8')).toBe('one\ntwo\n')
  })
})

describe('watched and own files', () => {
  it('a watched file counts although it is ignored, and is never committed', async () => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '.claude/\nralph/tasks.json\n' })
    lab.write('ralph/tasks.json', '{}\n')
    const begun = await lab.begin({}, { watch: ['ralph/tasks.json', '.claude'] })
    expect(begun.view.uncommitted).toEqual([])
    expect(begun.view.onlyWatched).toEqual(['ralph/tasks.json'])
    lab.write('ralph/tasks.json', '{"approved":true}\n')
    lab.write('.claude/settings.local.json', '{}\n')
    const view = await begun.look()
    expect(view.changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'added .claude/settings.local.json',
      'modified ralph/tasks.json',
    ])
    expect(view.uncommitted).toEqual([])
    value(await begun.referee.restore(begun.base.tree, ['ralph/tasks.json', '.claude/settings.local.json']))
    expect((await begun.look()).changes).toEqual([])
    expect(readFileSync(at('ralph/tasks.json'), 'utf8')).toBe('{}\n')
  })

  it('a watched file that is taken out of git and ignored is told, and goes back into it', async () => {
    lab.start({ 'README.md': 'hello\n', 'ralph/tasks.json': '{}\n' })
    const { look, referee, base } = await lab.begin({}, { watch: ['ralph/tasks.json'] })
    lab.git('rm', '-q', '--cached', 'ralph/tasks.json')
    lab.write('.gitignore', 'ralph/\n')
    lab.write('ralph/tasks.json', '{"more":1}\n')
    lab.git('add', '-A')
    lab.git('commit', '-q', '-m', 'hides the list')
    const view = await look()
    expect(view).toMatchObject({ dropped: ['ralph/tasks.json'], uncommitted: [] })
    const { head, tree } = view
    const request = { parent: head ?? '', tree, paths: view.dropped, message: 'back', iteration: 1 }
    const commit = value(await referee.commit(request)) ?? ''
    value(await referee.deliver({ commit, branch: 'main', expected: head ?? '' }))
    expect(await look()).toMatchObject({ dropped: [], onlyWatched: [], uncommitted: [] })
    expect(lab.git('status', '--porcelain')).toBe('')
    lab.write('ralph/tasks.json', '{"more":2}\n')
    const anew = value(await lab.open())
    const watch = ['ralph/tasks.json']
    expect(value(await anew.observe({ iteration: 2, base, watch }))).toMatchObject({
      uncommitted: ['ralph/tasks.json'],
    })
  })

  it('a history that is put back has the watched files that were taken out of git', async () => {
    lab.start({ 'README.md': 'hello\n', 'ralph/tasks.json': '{}\n' })
    const { look, referee, base } = await lab.begin({}, { watch: ['ralph/tasks.json'] })
    lab.git('rm', '-q', '--cached', 'ralph/tasks.json')
    lab.write('.gitignore', 'ralph/\n')
    lab.write('ralph/tasks.json', '{"more":1}\n')
    lab.git('add', '-A')
    lab.git('commit', '-q', '--amend', '-m', 'rewrites')
    const view = await look()
    value(await referee.repairHistory({ iteration: 1, base, branch: 'main', view, message: 'back' }))
    expect(lab.git('show', 'main:ralph/tasks.json')).toBe('{"more":1}\n')
  })

  it.each<[string, () => unknown]>([
    ['in a directory that is named with a slash', () => undefined],
    ['beside a .git', () => lab.write('.codex/.git', '')],
    ['in a repository of its own', () => lab.gitIn(at('.codex'), 'init', '-q')],
    ['behind thousands of others', () => Array.from({ length: 6000 }, (_, n) => lab.write(`.codex/a/${n}`, ''))],
  ])('a watched file is seen %s', async (_, hide) => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '.codex/\n' })
    const { look } = await lab.begin({}, { watch: ['.codex/'] })
    lab.write('.codex/z/config.toml', 'trust = "all"\n')
    hide()
    const view = await look()
    expect(view.changes.map(({ path }) => path)).toContain('.codex/z/config.toml')
    expect(view.uncommitted).toEqual([])
  })

  it.each<[string, () => unknown]>([
    ['a FIFO', () => execFileSync('mkfifo', [at('.claude/settings.local.json')])],
    ['too large', () => truncateSync(lab.write('.claude/settings.local.json', '{}'), 300 * 1024 * 1024)],
  ])('a watched path that is %s counts as added, goes, and is seen when it becomes a file', async (_, plant) => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '.claude/\n', '.claude/x': '' })
    mkdirSync(at('.claude'), { recursive: true })
    const { look, referee, base } = await lab.begin({}, { watch: ['.claude/settings.local.json'] })
    plant()
    for (const again of [1, 2]) {
      const { changes } = await look()
      expect(changes, `look ${again}`).toMatchObject([{ path: '.claude/settings.local.json', kind: 'added' }])
    }
    rmSync(at('.claude/settings.local.json'))
    lab.write('.claude/settings.local.json', '{}')
    expect((await look()).changes).toHaveLength(1)
    rmSync(at('.claude/settings.local.json'))
    plant()
    value(await referee.restore(base.tree, ['.claude/settings.local.json']))
    expect(isThere(at('.claude/settings.local.json'))).toBe(false)
    expect((await look()).changes).toEqual([])
  })

  it("the runner's own files are in no tree, tracked or not, whatever ignore files say", async () => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '!.ralph-active\n' })
    const begun = await lab.begin()
    lab.write('.ralph-active', '{}')
    lab.write('.ralph/guardrail_1_test.log', 'output')
    lab.write('.ralph/other.txt', 'other')
    expect((await begun.look()).changes.map(({ path }) => path)).toEqual(['.ralph/other.txt'])
    lab.git('add', '-f', '.')
    lab.git('commit', '-q', '-m', 'commits the marker')
    const view = await begun.look()
    expect(view.uncommitted).toEqual([])
    const again = value(await value(await lab.open()).observe({ iteration: 2, base: begun.base }))
    expect(again.tree).toBe(view.tree)
    expect((await begun.look({ base: { commit: view.head ?? '', tree: view.tree } })).changes).toEqual([])
  })

  it("the runner's own files are seen when somebody has forced them into a commit, until one takes them out", async () => {
    lab.start({ 'README.md': 'hello\n', '.ralph/guardrail_0_old.log': 'there before' })
    const { look, referee } = await lab.begin()
    const own = ['.ralph-active', '.ralph/guardrail_1_test.log']
    for (const path of own) lab.write(path, 'x')
    lab.git('add', '-f', '.')
    lab.git('commit', '-q', '-m', 'commits the marker')
    const view = await look()
    expect(view.ownCommitted).toEqual(own)
    expect(view.changes).toEqual(own.map((path) => ({ path, kind: 'added', now: 'file' })))
    const { head, tree } = view
    const request = { parent: head ?? '', tree, paths: view.ownCommitted, message: 'out', iteration: 1 }
    const commit = value(await referee.commit(request)) ?? ''
    value(await referee.deliver({ commit, branch: 'main', expected: head ?? '' }))
    expect(await look()).toMatchObject({ ownCommitted: [], changes: [], uncommitted: [] })
    expect(lab.git('ls-files', '.ralph*')).toBe('.ralph/guardrail_0_old.log\n')
  })

  it('takes away a file of its own whatever it was made into, and nothing behind a link', async () => {
    lab.start()
    const { referee } = await lab.begin()
    lab.write('.ralph-active/deep/file', 'x')
    const kept = value(referee.takeAway('.ralph-active'))
    expect(kept.map(({ path }) => path)).toEqual(['.ralph-active', '.ralph-active/deep', '.ralph-active/deep/file'])
    const outside = lab.write(join(lab.root, 'outside'), 'outside\n')
    symlinkSync(outside, at('.ralph-active'))
    expect(value(referee.takeAway('.ralph-active'))).toMatchObject([{ kind: 'link' }])
    expect([at('.ralph-active'), outside].map(isThere)).toEqual([false, true])
    expect(value(referee.takeAway('.ralph-active'))).toEqual([])
  })

  it('an ignored file that the agent committed by force is part of the tree', async () => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '*.log\n' })
    const { look } = await lab.begin()
    lab.write('kept.log', 'log\n')
    lab.git('add', '-f', 'kept.log')
    lab.git('commit', '-q', '-m', 'log')
    expect(await look()).toMatchObject({ uncommitted: [], changes: [{ path: 'kept.log', kind: 'added', now: 'file' }] })
  })
})

describe('what an iteration left', () => {
  it('is too much above 1,000 files', async () => {
    lab.start()
    const { referee, look } = await lab.begin()
    for (let index = 0; index < 3000; index++) lab.write(`many/${index}.txt`, `${index}\n`)
    const view = await look()
    expect(view.uncommitted).toHaveLength(3000)
    expect(value(await referee.commitLeftOver({ view, iteration: 1 }))).toMatchObject({ kind: 'too-much', files: 3000 })
  })

  it('is too much above 20 MB', async () => {
    lab.start()
    const { referee, look } = await lab.begin()
    lab.write('large.bin', Buffer.alloc(21 * 1024 * 1024))
    const left = value(await referee.commitLeftOver({ view: await look(), iteration: 1 }))
    expect(left).toMatchObject({ kind: 'too-much', files: 1 })
  })
})

describe('a difference for a prompt', () => {
  it('shows a change that -diff would hide, and runs no driver', async () => {
    lab.start()
    const { referee, base, look } = await lab.begin()
    lab.git('config', 'diff.x.command', `'${lab.trap()}'`)
    lab.git('config', 'diff.x.textconv', `'${lab.trap()}'`)
    lab.write('.gitattributes', '* -diff\n*.md diff=x\n')
    lab.write('README.md', 'changed\n')
    lab.write('src/a.txt', 'changed too\n')
    lab.tryGit('diff')
    expect(lab.sprang()).toBe(true)
    const view = await look()
    const { text, omittedBytes } = value(await referee.diff(base.tree, view.tree, { maxBytes: 10_000 }))
    expect(text).toContain('+changed too')
    expect(text).toContain('+changed\n')
    expect(omittedBytes).toBe(0)
    expect(lab.sprang()).toBe(false)
  })

  it('can be of some paths, literally, and shortened', async () => {
    lab.start({ 'a*': 'x\n', ab: 'x\n' })
    const { referee, base, look } = await lab.begin()
    lab.write('a*', 'star\n')
    lab.write('ab', Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join(''))
    const { tree } = await look()
    const some = value(await referee.diff(base.tree, tree, { maxBytes: 10_000, paths: ['a*'] }))
    expect(some.text).toContain('+star')
    expect(some.text).not.toContain('line 1')
    const short = value(await referee.diff(base.tree, tree, { maxBytes: 1000 }))
    expect(short.text).toContain(`${short.omittedBytes} bytes left out`)
    expect(short.text).toContain('line 4999')
  })
})
