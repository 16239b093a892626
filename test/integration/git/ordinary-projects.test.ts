import { readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, gitProgram, isThere, Lab, value, type Begun } from '../../support/repositories.ts'
import { refereeCycle } from '../../support/referee-cycle.ts'

/** Projects as people have them: everything the referee does works, and plain git is content afterwards. */
let lab: Lab
beforeEach(() => {
  lab = new Lab('my (odd) project %20')
})
afterEach(() => lab.remove())

/** One whole iteration: a commit of the agent's, a file left over, all delivered. */
async function iteration(begun: Begun): Promise<void> {
  lab.write('committed.txt', 'committed\n')
  lab.commit('by the agent')
  lab.write('left.txt', 'left\n')
  const view = await refereeCycle(lab, begun)
  expect(view.uncommitted).toEqual(['left.txt'])
  expect(view.baseIsAncestor).toBe(true)
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(lab.git('log', '-2', '--format=%s')).toBe('left uncommitted by iteration 1\nby the agent\n')
  lab.git('fsck')
}

it('sha256 object format', async () => {
  lab.start({ 'README.md': 'hello\n' }, '--object-format=sha256')
  const begun = await lab.begin()
  expect(begun.base.tree).toHaveLength(64)
  await iteration(begun)
})

it('a shallow clone', async () => {
  const origin = new Lab('origin')
  origin.start()
  for (const name of ['1', '2', '3']) {
    origin.write(name, name)
    origin.commit(name)
  }
  lab.gitIn(lab.root, 'clone', '-q', '--depth', '2', `file://${origin.project}`, lab.project)
  expect(lab.git('rev-list', '--count', 'HEAD').trim()).toBe('2')
  await iteration(await lab.begin())
  origin.remove()
})

it('a clone that borrows objects from another', async () => {
  const origin = new Lab('origin')
  origin.start()
  lab.gitIn(lab.root, 'clone', '-q', '--shared', origin.project, lab.project)
  await iteration(await lab.begin())
  origin.remove()
})

it('packed refs and a repacked object store', async () => {
  lab.start()
  lab.git('gc', '-q')
  const begun = await lab.begin()
  await iteration(begun)
  // An honest gc in the iteration is no finding.
  lab.git('gc', '-q')
  expect((await begun.look()).gitDirectory).toEqual([])
})

it('a branch with a slash, and one that is only packed', async () => {
  lab.start()
  lab.git('switch', '-q', '-c', 'feature/one')
  lab.git('pack-refs', '--all')
  const { referee, base, look } = await lab.begin()
  lab.write('x', 'x')
  const view = await look()
  const left = value(await referee.commitLeftOver({ view, iteration: 1 }))
  expect(left.kind).toBe('committed')
  const commit = left.kind === 'committed' ? left.commit : ''
  value(await referee.deliver({ commit, branch: 'feature/one', expected: base.commit }))
  expect(lab.git('status', '--porcelain', '-b')).toBe('## feature/one\n')
})

it('a linked work tree', async () => {
  const main = new Lab('main tree')
  main.start()
  rmSync(lab.project, { recursive: true })
  main.git('worktree', 'add', '-q', '-b', 'side', lab.project)
  const { referee, base, look } = await lab.begin()
  lab.write('committed.txt', 'c\n')
  lab.commit('by the agent')
  lab.write('left.txt', 'left\n')
  const view = await look()
  expect(view).toMatchObject({ branch: 'side', baseIsAncestor: true, uncommitted: ['left.txt'], gitDirectory: [] })
  const left = value(await referee.commitLeftOver({ view, iteration: 1 }))
  const commit = left.kind === 'committed' ? left.commit : ''
  value(await referee.deliver({ commit, branch: 'side', expected: view.head ?? '' }))
  expect(lab.git('status', '--porcelain', '-b')).toBe('## side\n')
  expect(main.git('status', '--porcelain', '-b')).toBe('## main\n')
  expect(main.git('rev-parse', 'main').trim()).toBe(base.commit)
  main.remove()
})

it('a commit that somebody is writing in the main work tree keeps its lock', async () => {
  const main = new Lab()
  main.start()
  rmSync(lab.project, { recursive: true })
  main.git('worktree', 'add', '-q', '-b', 'side', lab.project)
  const { look } = await lab.begin()
  main.write('.git/index.lock', '')
  const agents = main.write('.git/refs/heads/side.lock', '')
  expect((await look({ locksSince: 0 })).removedLocks).toEqual([agents])
  expect(isThere(join(main.project, '.git/index.lock'))).toBe(true)
  main.remove()
})

it('a hook that is too large to keep is not put back as an empty file', async () => {
  lab.start()
  const hook = lab.write('.git/hooks/pre-push', Buffer.alloc(5_000_000, 'a'), 0o755)
  const { referee, base, look } = await lab.begin()
  expect((await look()).gitDirectory).toEqual([])
  writeFileSync(hook, 'changed by the agent')
  const stopped = failure(await referee.observe({ iteration: 1, base }))
  expect(stopped).toMatchObject({ reason: 'unsafe-git-directory' })
  expect(readFileSync(hook, 'utf8')).toBe('changed by the agent')
})

it('submodules that were there before', async () => {
  const library = new Lab('library')
  library.start({ 'lib.txt': 'lib\n' })
  lab.start()
  lab.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${library.project}`, 'sub')
  lab.commit('sub')
  const begun = await lab.begin()
  expect(begun.view.nestedRepositories).toEqual([])
  await iteration(begun)
  const sub = join(lab.project, 'sub')
  writeFileSync(join(sub, 'more.txt'), 'more\n')
  lab.gitIn(sub, 'add', '.')
  lab.gitIn(sub, 'commit', '-q', '-m', 'more')
  lab.commit('moves the submodule')
  const view = await begun.look()
  expect(view.changes).toContainEqual({ path: 'sub', kind: 'modified', now: 'nested-repository' })
  expect(view.nestedRepositories).toEqual([])

  rmSync(sub, { recursive: true })
  writeFileSync(sub, 'a file now\n')
  expect((await begun.look()).changes).toContainEqual({ path: 'sub', kind: 'modified', now: 'file' })
  rmSync(sub)
  mkdirSync(sub)
  expect((await begun.look()).tree).toBe(view.tree)

  rmSync(sub, { recursive: true })
  writeFileSync(sub, 'a file now\n')
  lab.git('rm', '-q', '--cached', 'sub')
  lab.commit('replaces the submodule')
  expect((await begun.look()).uncommitted).toEqual([])
  library.remove()
})

it('submodules that the agent initializes are used in good faith', async () => {
  const library = new Lab()
  library.start()
  const origin = new Lab()
  origin.start()
  const add = ['submodule', '--quiet', 'add', `file://${library.project}`, 'sub']
  origin.git('-c', 'protocol.file.allow=always', ...add)
  origin.commit('sub')
  rmSync(lab.project, { recursive: true })
  lab.gitIn(lab.root, 'clone', '-q', `file://${origin.project}`, lab.project)
  const { look } = await lab.begin()
  lab.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  const view = await look()
  expect(view.gitDirectory.filter(({ goodFaith }) => !goodFaith)).toEqual([])
  expect(view.gitDirectory).not.toEqual([])
  expect(view.nestedRepositories).toEqual([])
  expect(lab.gitIn(join(lab.project, 'sub'), 'status', '--porcelain')).toBe('')
  lab.write('.git/modules/sub/config', '[core]\n\tfsmonitor = touch canary\n')
  expect((await look()).gitDirectory).toMatchObject([{ goodFaith: false }])
  library.remove()
  origin.remove()
})

it('a full disk of ours is not taken for a broken history of the agent', async () => {
  lab.start()
  const full = join(lab.root, 'full')
  const script = `#!/bin/sh\nif [ -e '${full}' ]; then case "$*" in *' fetch '*) echo 'No space left on device' >&2; exit 128;; esac; fi\n`
  const git = lab.write(join(lab.root, 'git'), `${script}exec ${gitProgram} "$@"\n`, 0o755)
  const { referee, base } = await lab.begin({ git })
  lab.write(full, '')
  lab.write('new.txt', 'new\n')
  lab.commit('new')
  expect(failure(await referee.observe({ iteration: 1, base }))).toMatchObject({ reason: 'storage', code: 'ENOSPC' })
  rmSync(full)
  expect(value(await referee.observe({ iteration: 1, base }))).toMatchObject({ baseIsAncestor: true, uncommitted: [] })
})

it('signing configured', async () => {
  lab.start()
  lab.git('config', 'gpg.program', lab.trap())
  lab.git('config', 'commit.gpgSign', 'true')
  const begun = await lab.begin()
  lab.write('left.txt', 'left\n')
  await refereeCycle(lab, begun)
  expect(lab.git('log', '-1', '--format=%an <%ae>%n%cn <%ce>%n%(trailers:key=Ralph-Run,valueonly)').trim()).toBe(
    'Ralph <ralph@localhost>\nRalph <ralph@localhost>\n20260101-120000-0a1b2c3d/1',
  )
  expect(lab.git('cat-file', 'commit', 'HEAD')).not.toContain('gpgsig')
})

describe("the user's own filters", () => {
  it('of the global configuration stay on, as git-lfs needs', async () => {
    const store = join(lab.root, 'store')
    mkdirSync(store)
    const clean = lab.write(
      join(lab.root, 'clean'),
      `#!/bin/sh\nf=$(mktemp); cat > "$f"; h=$(sha256sum < "$f" | cut -c1-64); mv "$f" '${store}'/"$h"; echo "pointer $h"\n`,
      0o755,
    )
    const smudge = lab.write(join(lab.root, 'smudge'), `#!/bin/sh\nread -r _ h; cat '${store}'/"$h"\n`, 0o755)
    lab.gitIn(lab.root, 'config', '--global', 'filter.big.clean', `'${clean}'`)
    lab.gitIn(lab.root, 'config', '--global', 'filter.big.smudge', `'${smudge}'`)
    lab.gitIn(lab.root, 'config', '--global', 'filter.big.required', 'true')
    lab.start({ 'README.md': 'hello\n', '.gitattributes': '*.bin filter=big\n', 'a.bin': 'large content\n' })
    expect(lab.git('show', 'HEAD:a.bin')).toContain('pointer ')
    const { referee, base, look, view } = await lab.begin()
    expect(view.uncommitted).toEqual([])

    lab.write('a.bin', 'other content\n')
    const seen = await look()
    expect(value(await referee.read(seen.tree, 'a.bin'))?.toString()).toContain('pointer ')
    // The attribute files of the snapshot count, not those that the agent leaves.
    lab.write('.gitattributes', '')
    value(await referee.restore(base.tree, ['a.bin']))
    expect(readFileSync(join(lab.project, 'a.bin'), 'utf8')).toBe('large content\n')
  })

  it('and its ignore file count', async () => {
    lab.write(join(lab.root, 'my ignores'), '*.swp\n')
    lab.gitIn(lab.root, 'config', '--global', 'core.excludesFile', join(lab.root, 'my ignores'))
    lab.start()
    lab.write('.git/info/exclude', 'private.txt\n')
    lab.write('private.txt', 'mine\n')
    lab.write('x.swp', 'mine\n')
    const { view } = await lab.begin()
    expect(view.uncommitted).toEqual([])
  })

  it('autocrlf: files with CRLF are not changed files, and come back with CRLF', async () => {
    lab.gitIn(lab.root, 'config', '--global', 'core.autocrlf', 'true')
    lab.start({ 'README.md': 'one\r\ntwo\r\n' })
    expect(lab.git('cat-file', 'blob', 'HEAD:README.md')).toBe('one\ntwo\n')
    const { referee, base, view, look } = await lab.begin()
    expect(view.uncommitted).toEqual([])
    lab.write('README.md', 'changed\r\n')
    expect((await look()).uncommitted).toEqual(['README.md'])
    value(await referee.restore(base.tree, ['README.md']))
    expect(readFileSync(join(lab.project, 'README.md'), 'utf8')).toBe('one\r\ntwo\r\n')
    expect((await look()).uncommitted).toEqual([])
  })

  it('CRLF files without autocrlf stay as they are', async () => {
    lab.start({ 'README.md': 'one\r\ntwo\r\n' })
    const { referee, base } = await lab.begin()
    expect(value(await referee.read(base.tree, 'README.md'))?.toString()).toBe('one\r\ntwo\r\n')
  })
})

describe('tools that write into .git in good faith', () => {
  it.each([
    ['husky', () => lab.git('config', 'core.hooksPath', '.husky/_')],
    [
      'pre-commit',
      () =>
        lab.write(
          '.git/hooks/pre-commit',
          '#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n',
          0o755,
        ),
    ],
    [
      'git-lfs',
      () => {
        lab.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f')
        lab.git('config', 'filter.lfs.smudge', 'git-lfs smudge -- %f')
        lab.git('config', 'filter.lfs.process', 'git-lfs filter-process')
        lab.git('config', 'filter.lfs.required', 'true')
        lab.write('.git/hooks/pre-push', '#!/bin/sh\ngit lfs pre-push "$@"\n', 0o755)
      },
    ],
    ['a name for commits', () => lab.git('config', 'user.name', 'Agent')],
  ])('%s is put back without blame', async (_, install) => {
    lab.start()
    const { look } = await lab.begin()
    const before = readFileSync(join(lab.project, '.git/config'))
    install()
    const view = await look()
    expect(view.gitDirectory.length).toBeGreaterThan(0)
    expect(view.gitDirectory.filter(({ goodFaith }) => !goodFaith)).toEqual([])
    expect(readFileSync(join(lab.project, '.git/config')).equals(before)).toBe(true)
    expect((await look()).gitDirectory).toEqual([])
  })

  it('a filter that only looks like git-lfs is not', async () => {
    lab.start()
    const { look } = await lab.begin()
    lab.git('config', 'filter.lfs.clean', `git-lfs clean -- %f; touch '${lab.canary}'`)
    expect((await look()).gitDirectory.map(({ goodFaith }) => goodFaith)).toEqual([false])
  })
})

describe('an open merge of the agent', () => {
  async function openMerge(): Promise<Begun> {
    lab.start({ f: 'start\n', 'README.md': 'hello\n' })
    lab.git('switch', '-q', '-c', 'side')
    lab.write('f', 'side\n')
    lab.commit('side')
    lab.git('switch', '-q', 'main')
    const begun = await lab.begin()
    lab.write('f', 'main\n')
    lab.commit('main')
    lab.tryGit('merge', 'side')
    return begun
  }

  it('is named and stays as long as nothing is delivered', async () => {
    const { look } = await openMerge()
    const view = await look()
    expect(view.openOperation).toBe('merge')
    expect(view.uncommitted).toEqual(['f'])
    expect((await look()).openOperation).toBe('merge')
  })

  it('ends when the runner delivers a commit; only the paths named are in it', async () => {
    const { referee, look } = await openMerge()
    lab.write('other.txt', 'not named\n')
    lab.git('add', 'other.txt')
    const view = await look()
    const commit = value(
      await referee.commit({
        parent: view.head ?? '',
        tree: view.tree,
        paths: ['f'],
        message: 'put back',
        iteration: 1,
      }),
    )
    const rejected = value(await referee.deliver({ commit: commit ?? '', branch: 'main', expected: view.head ?? '' }))
    expect(rejected.map(({ path }) => path)).toContain(join(lab.project, '.git/MERGE_HEAD'))
    expect(lab.git('status', '--porcelain')).toBe('?? other.txt\n')
    expect((await look()).openOperation).toBeNull()
    expect(lab.git('show', '--name-only', '--format=%P', 'HEAD').trim()).toBe(`${view.head}\n\nf`)
  })
})

it('somebody who commits while the runner delivers is not overrun', async () => {
  lab.start()
  const { referee, base, look } = await lab.begin()
  lab.write('left.txt', 'left\n')
  const left = value(await referee.commitLeftOver({ view: await look(), iteration: 1 }))
  lab.git('commit', '-q', '--allow-empty', '-m', 'by a person')
  const person = lab.git('rev-parse', 'HEAD').trim()
  const commit = left.kind === 'committed' ? left.commit : ''
  const refused = await referee.deliver({ commit, branch: 'main', expected: base.commit })
  expect(refused).toMatchObject({ ok: false, error: { reason: 'git-failed' } })
  expect(lab.git('rev-parse', 'HEAD').trim()).toBe(person)
})

it('a git of the user at work is waited for by nobody: nothing moves, and the next try succeeds', async () => {
  lab.start()
  const { referee, base, look } = await lab.begin()
  lab.write('left.txt', 'left\n')
  const left = value(await referee.commitLeftOver({ view: await look(), iteration: 1 }))
  const request = { commit: left.kind === 'committed' ? left.commit : '', branch: 'main', expected: base.commit }
  const lock = lab.write('.git/index.lock', '')
  expect(await referee.deliver(request)).toMatchObject({ ok: false, error: { reason: 'git-failed' } })
  expect(lab.git('rev-parse', 'HEAD').trim()).toBe(base.commit)
  rmSync(lock)
  value(await referee.deliver(request))
  // Once more, as a resume does after a kill in the middle.
  rmSync(join(lab.project, '.git/index'))
  value(await referee.deliver({ ...request, expected: request.commit }))
  expect(lab.git('status', '--porcelain')).toBe('')
})

describe('what the OS sandbox puts into .git for a run in another work tree', () => {
  const standIns = { commondir: '.\n', 'config.worktree': '', 'objects/info/alternates': '' }
  const put = () => Object.entries(standIns).forEach(([name, text]) => lab.write(`.git/${name}`, text))
  const lines = ({ gitDirectory }: Awaited<ReturnType<typeof refereeCycle>>) => gitDirectory.map(({ line }) => line)

  it('may come and go during an iteration', async () => {
    lab.start()
    const begun = await lab.begin()
    put()
    expect(lines(await refereeCycle(lab, begun))).toEqual([])
    expect(isThere(join(lab.project, '.git/commondir'))).toBe(true)
    const later = await lab.begin()
    for (const name of Object.keys(standIns)) rmSync(join(lab.project, '.git', name))
    expect(lines(await refereeCycle(lab, later))).toEqual([])
  })

  it('may not be filled with something else', async () => {
    lab.start()
    put()
    const begun = await lab.begin()
    lab.write('.git/config.worktree', '[core]\n\tpager = x\n')
    lab.write('.git/objects/info/alternates', '/nowhere\n')
    lab.write('.git/commondir', '../.git\n')
    expect(lines(await refereeCycle(lab, begun))).toEqual([
      '.git/config.worktree was added',
      '.git/commondir was added',
      '.git/objects/info/alternates was added',
    ])
    expect(Object.keys(standIns).filter((name) => isThere(join(lab.project, '.git', name)))).toEqual([])
  })
})
