import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchCommits } from '../../../src/git/fetch-commits.ts'
import { gitOf } from '../../../src/git/git.ts'
import { failure, gitProgram, isThere, Lab, runId, value, type Begun } from '../../support/repositories.ts'
import { until } from '../../support/until.ts'

/** Tests 21 to 23 and 30 to 34 of the attack list: what history says, and where HEAD stands. */
let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

const lines = (view: { gitDirectory: readonly { line: string }[] }): string =>
  view.gitDirectory.map((f) => f.line).join('\n')

it('21 git-forged-loose-blob-prd', async () => {
  lab.start({ 'README.md': 'hello\n', 'ralph/prd.md': 'the true requirements\n' })
  const { referee, base, look } = await lab.begin()
  const id = lab.git('rev-parse', 'HEAD:ralph/prd.md').trim()
  const path = join(lab.project, '.git/objects', id.slice(0, 2), id.slice(2))
  chmodSync(path, 0o644)
  writeFileSync(path, deflateSync(Buffer.from('blob 5\0easy\n')))
  rmSync(join(lab.project, 'ralph/prd.md'))
  lab.git('checkout', '--', 'ralph/prd.md')
  expect(readFileSync(join(lab.project, 'ralph/prd.md'), 'utf8')).toBe('easy\n')

  const view = await look()
  expect(view.changes).toEqual([{ path: 'ralph/prd.md', kind: 'modified', now: 'file' }])
  expect(value(await referee.read(base.tree, 'ralph/prd.md'))?.toString()).toBe('the true requirements\n')
  value(await referee.restore(base.tree, ['ralph/prd.md']))
  expect(readFileSync(join(lab.project, 'ralph/prd.md'), 'utf8')).toBe('the true requirements\n')
})

describe('22 git-replace-graft-shallow', () => {
  const plant: Record<string, (first: string, last: string) => void> = {
    replace: (first, last) => lab.git('replace', last, first),
    'packed replace': (first, last) => {
      lab.git('replace', last, first)
      lab.git('pack-refs', '--all')
    },
    graft: (first, last) => lab.write('.git/info/grafts', `${last} ${first}\n`),
    shallow: (_, last) => lab.write('.git/shallow', `${last}\n`),
  }
  it.each(Object.keys(plant))('%s', async (name) => {
    const first = lab.start()
    lab.write('two.txt', '2\n')
    lab.commit('two')
    const begun = await lab.begin()
    lab.write('three.txt', '3\n')
    const last = lab.commit('three')
    plant[name]?.(first, last)
    expect(lab.git('log', '--format=%s')).not.toBe('three\ntwo\nstart\n')

    const view = await begun.look()
    expect(view.head).toBe(last)
    expect(view.baseIsAncestor).toBe(true)
    expect(view.changes.map(({ path }) => path)).toEqual(['three.txt'])
    expect(view.gitDirectory).toHaveLength(1)
    expect(lab.git('log', '--format=%s')).toBe('three\ntwo\nstart\n')
    expect(lab.refereeGit('log', '--format=%s', last)).toBe('three\ntwo\nstart\n')
  })
})

describe('23 git-stale-ref-after-shallow', () => {
  it('the new commit is judged', async () => {
    lab.start()
    const { look } = await lab.begin()
    lab.write('new.txt', 'new\n')
    const commit = lab.commit('new')
    lab.write('.git/shallow', `${commit}\n`)
    const view = await look()
    expect(view.head).toBe(commit)
    expect(view.uncommitted).toEqual([])
    expect(lines(view)).toContain('.git/shallow was added')
  })

  it('a fetch that brings nothing is a failure, whatever its exit code', async () => {
    lab.start()
    await lab.begin()
    lab.write('new.txt', 'new\n')
    const commit = lab.commit('new')
    lab.write('.git/shallow', `${commit}\n`)
    const { stateDir, project } = lab
    const place = {
      runId,
      git: gitProgram,
      project,
      stateDir,
      scratch: `${stateDir}/scratch`,
      repository: `${stateDir}/referee.git`,
      index: `${stateDir}/index`,
      path: '/usr/bin:/bin',
    }
    const request = { source: 'HEAD', commit, ref: `refs/ralph/${runId}/7` }
    expect(failure(await fetchCommits(gitOf(place), place, request))).toMatchObject({ reason: 'git-failed' })
  })
})

describe('30 git-dir-removed-parent-repo', () => {
  it('stops, and the parent repository is untouched', async () => {
    const parent = new Lab('parent')
    parent.start({ 'parent.txt': 'p\n', '.gitignore': 'child/\n' })
    const child = join(parent.project, 'child')
    mkdirSync(child)
    parent.gitIn(child, 'init', '-q', '-b', 'main')
    writeFileSync(join(child, 'README.md'), 'hello\n')
    parent.gitIn(child, 'add', '.')
    parent.gitIn(child, 'commit', '-q', '-m', 'start')
    const referee = value(await parent.open({ project: child }))
    const first = value(await referee.observe({ iteration: 1, base: null }))
    const base = { commit: first.head ?? '', tree: first.tree }
    rmSync(join(child, '.git'), { recursive: true })
    writeFileSync(join(child, 'README.md'), 'changed\n')
    expect(parent.gitIn(child, 'rev-parse', '--show-toplevel').trim()).toBe(parent.project)
    const before = parent.git('for-each-ref') + parent.git('status', '--porcelain', '--ignored')

    const stop = { reason: 'unsafe-git-directory', path: join(child, '.git') }
    expect(failure(await referee.observe({ iteration: 1, base }))).toMatchObject(stop)
    const commit = value(
      await referee.commit({ parent: base.commit, tree: base.tree, paths: [], message: 'x', iteration: 1 }),
    )
    expect(commit).toBeNull()
    expect(
      failure(await referee.deliver({ commit: base.commit, branch: 'main', expected: base.commit })),
    ).toMatchObject(stop)
    expect(parent.git('for-each-ref') + parent.git('status', '--porcelain', '--ignored')).toBe(before)
    expect(existsSync(join(child, '.git'))).toBe(false)
    parent.remove()
  })
})

/** Observes, repairs, and checks what must hold after every repair. */
async function repair({ referee, base, look }: Begun): Promise<{ commit: string; kept: string[] }> {
  const view = await look()
  expect(view.branch !== 'main' || !view.baseIsAncestor).toBe(true)
  const message = 'The agent left the branch'
  const done = value(await referee.repairHistory({ iteration: 1, base, branch: 'main', view, message }))
  const after = await look()
  expect(after).toMatchObject({ branch: 'main', head: done.commit, baseIsAncestor: true, uncommitted: [] })
  expect(after.tree).toBe(view.tree)
  expect(lab.git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main')
  expect(lab.git('status', '--porcelain')).toBe('')
  lab.git('fsck', '--connectivity-only')
  for (const [ref, id] of Object.entries(done.kept)) expect(lab.git('rev-parse', ref).trim()).toBe(id)
  return { commit: done.commit, kept: Object.values(done.kept) }
}

describe('31 git-branch-switched', () => {
  it('to a new branch with commits', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.git('switch', '-q', '-c', 'elsewhere')
    lab.write('new.txt', 'new\n')
    const tip = lab.commit('on another branch')
    const { commit, kept } = await repair(begun)
    expect(kept).toEqual([tip])
    expect(lab.git('log', '-1', '--format=%P %an', commit).trim()).toBe(`${begun.base.commit} Ralph`)
    expect(lab.git('show', 'main:new.txt')).toBe('new\n')
    expect(lab.git('rev-parse', 'elsewhere').trim()).toBe(tip)
  })

  it('to a detached HEAD', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.git('checkout', '-q', '--detach')
    lab.write('new.txt', 'new\n')
    const tip = lab.commit('detached')
    expect((await repair(begun)).kept).toEqual([tip])
  })

  it('to a ref that is no branch', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.write('new.txt', 'new\n')
    const tip = lab.commit('new')
    lab.git('update-ref', 'refs/planted/x', tip)
    lab.git('reset', '-q', '--hard', begun.base.commit)
    lab.write('.git/HEAD', 'ref: refs/planted/x\n')
    await repair(begun)
  })

  it('with the branch deleted', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.git('switch', '-q', '-c', 'elsewhere')
    lab.git('branch', '-q', '-D', 'main')
    expect((await repair(begun)).commit).toBe(begun.base.commit)
  })

  it.each(['loose', 'packed'])('with %s branches in the way of the old one', async (kind) => {
    lab.start()
    const begun = await lab.begin()
    lab.git('switch', '-q', '-c', 'elsewhere')
    lab.git('branch', '-q', '-D', 'main')
    lab.git('branch', 'main/below')
    if (kind === 'packed') lab.git('pack-refs', '--all')
    await repair(begun)
  })

  it('with planted refs where the runner keeps tips', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.git('switch', '-q', '-c', 'elsewhere')
    lab.write('new.txt', 'new\n')
    const tip = lab.commit('elsewhere')
    lab.git('update-ref', `refs/ralph/${runId}/1/below`, tip)
    expect((await repair(begun)).kept).toEqual([tip])
  })

  it('to a branch that names another branch', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.git('branch', 'other')
    lab.git('symbolic-ref', 'refs/heads/main', 'refs/heads/other')
    lab.write('new.txt', 'new\n')
    const tip = lab.commit('on the other')
    expect((await begun.look()).head).toBeNull()
    await repair(begun)
    expect(lab.git('rev-parse', 'other').trim()).toBe(tip)
  })
})

describe('32 git-history-rewritten', () => {
  it.each([
    ['amended', () => lab.git('commit', '-q', '--amend', '-m', 'rewritten')],
    ['reset to an older commit', () => lab.git('reset', '-q', '--hard', 'HEAD~1')],
    [
      'an orphan in its place',
      () => {
        lab.git('checkout', '-q', '--orphan', 'fresh')
        lab.git('commit', '-q', '-m', 'all new')
        lab.git('branch', '-q', '-M', 'main')
      },
    ],
    [
      'packed-refs edited',
      () => {
        const first = lab.git('rev-parse', 'HEAD~1').trim()
        lab.git('pack-refs', '--all')
        const path = join(lab.project, '.git/packed-refs')
        writeFileSync(path, readFileSync(path, 'utf8').replace(/^[0-9a-f]{40}(?= refs\/heads\/main$)/m, first))
      },
    ],
    ['a ref of garbage', () => lab.write('.git/refs/heads/main', 'garbage\n')],
    ['a ref to an object that is not there', () => lab.write('.git/refs/heads/main', `${'12'.repeat(20)}\n`)],
    [
      'a broken branch beside it',
      () => {
        lab.write('.git/refs/heads/broken', `${'12'.repeat(20)}\n`)
        lab.git('commit', '-q', '--amend', '-m', 'rewritten')
      },
    ],
  ])('%s', async (_, rewrite) => {
    lab.start()
    lab.write('two.txt', '2\n')
    lab.commit('two')
    const begun = await lab.begin()
    rewrite()
    if (existsSync(join(lab.project, '.git/refs/heads/broken'))) {
      const view = await begun.look()
      const done = value(
        await begun.referee.repairHistory({ iteration: 1, base: begun.base, branch: 'main', view, message: 'm' }),
      )
      expect(lab.git('rev-parse', 'main').trim()).toBe(done.commit)
      return
    }
    await repair(begun)
    expect(lab.git('log', '--format=%s', begun.base.commit)).toBe('two\nstart\n')
  })

  it('a new repository in the place of the old gets the whole history back', async () => {
    lab.start()
    lab.write('two.txt', '2\n')
    lab.commit('two')
    const begun = await lab.begin()
    rmSync(join(lab.project, '.git'), { recursive: true })
    lab.git('init', '-q', '-b', 'main')
    lab.commit('everything in one')
    await repair(begun)
    expect(lab.git('log', '--format=%s', begun.base.commit)).toBe('two\nstart\n')
  })

  it.each(['HEAD:README.md', 'HEAD^{tree}', 'annotated'])('a branch that names %s', async (name) => {
    lab.start()
    const begun = await lab.begin()
    lab.git('tag', '-a', 'annotated', '-m', 'a tag')
    lab.write('.git/refs/heads/main', lab.git('rev-parse', name))
    lab.write('new.txt', 'new\n')
    expect(await begun.look()).toMatchObject({ head: null, headProblem: 'HEAD names something that is no commit' })
    await repair(begun)
    expect(lab.git('show', 'main:new.txt')).toBe('new\n')
  })

  it.each(['.GIT', 'git~1', '..'])('a commit with a file named %s', async (name) => {
    lab.start()
    const begun = await lab.begin()
    const input = `100644 blob ${lab.git('rev-parse', 'HEAD:README.md').trim()}\t${name}\n`
    const tree = execFileSync(gitProgram, ['mktree'], { cwd: lab.project, input, encoding: 'utf8' }).trim()
    lab.git('update-ref', 'refs/heads/main', lab.git('commit-tree', '-p', 'HEAD', '-m', 'trap', tree).trim())
    expect((await begun.look()).headProblem).toContain('fsck error')
    await repair(begun)
  })

  it('a commit of a hundred million files', async () => {
    lab.start()
    const begun = await lab.begin()
    let entry = `100644 blob ${lab.git('rev-parse', 'HEAD:README.md').trim()}`
    for (let depth = 0; depth < 8; depth++) {
      const input = Array.from({ length: 10 }, (_, index) => `${entry}\tname${index}\n`).join('')
      const made = execFileSync(gitProgram, ['mktree'], { cwd: lab.project, input, encoding: 'utf8' })
      entry = `040000 tree ${made.trim()}`
    }
    const bomb = lab.git('commit-tree', '-p', 'HEAD', '-m', 'bomb', entry.slice(-40)).trim()
    lab.git('update-ref', 'refs/heads/main', bomb)
    expect((await begun.look()).headProblem).toContain('more files')
    await repair(begun)
    expect(lab.git('rev-parse', 'main').trim()).toBe(begun.base.commit)
  })

  it('forged objects do not come in', async () => {
    lab.start()
    const begun = await lab.begin()
    lab.write('new.txt', 'new\n')
    lab.commit('new')
    const id = lab.git('rev-parse', 'HEAD:new.txt').trim()
    const path = join(lab.project, '.git/objects', id.slice(0, 2), id.slice(2))
    chmodSync(path, 0o644)
    writeFileSync(path, deflateSync(Buffer.from('blob 7\0forged\n')))
    expect(lab.git('show', 'HEAD:new.txt')).toBe('forged\n')
    const view = await begun.look()
    const forged = view.head === null ? null : value(await begun.referee.read(view.head, 'new.txt'))
    expect(forged?.toString() ?? 'new\n').toBe('new\n')
    expect(value(await begun.referee.read(view.tree, 'new.txt'))?.toString()).toBe('new\n')
  })
})

it('33 git-remote-url-swapped-before-push', async () => {
  const mine = join(lab.root, 'mine.git')
  const theirs = join(lab.root, 'theirs.git')
  for (const path of [mine, theirs]) lab.gitIn(lab.root, 'init', '-q', '--bare', path)
  lab.start()
  lab.git('remote', 'add', 'origin', `file://${mine}`)
  const { referee, look, base } = await lab.begin()
  lab.git('remote', 'set-url', 'origin', `file://${theirs}`)
  lab.git('config', `url.file://${theirs}.insteadOf`, `file://${mine}`)
  lab.git('config', 'remote.origin.receivepack', `'${lab.trap()}'`)
  lab.write('.git/hooks/pre-push', `#!/bin/sh\ntouch '${lab.canary}'\n`, 0o755)
  lab.tryGit('push', '-q', 'origin', 'main')
  expect(lab.sprang()).toBe(true)
  lab.write('new.txt', 'new\n')
  lab.commit('new')
  const commit = (await look()).head ?? ''
  expect(commit).not.toBe(base.commit)

  value(await referee.pushTo({ commit, branch: 'main' }))
  expect(lab.gitIn(mine, 'rev-parse', 'main').trim()).toBe(commit)
  expect(lab.gitIn(theirs, 'for-each-ref')).toBe('')
  expect(lab.sprang()).toBe(false)
  expect(lab.git('remote', 'get-url', 'origin').trim()).toBe(`file://${mine}`)
})

describe('34 git-index-lock-left', () => {
  it('locks of the iteration are removed, older ones are not', async () => {
    lab.start()
    const { look } = await lab.begin()
    const old = lab.write('.git/config.lock', '')
    const startedAt = statSync(old).ctimeMs + 1
    await until('a later time', () => Date.now() > startedAt + 50)
    const locks = ['index.lock', 'HEAD.lock', 'refs/heads/main.lock', 'packed-refs.lock'].map((name) =>
      lab.write(`.git/${name}`, ''),
    )
    for (const lock of locks) utimesSync(lock, 0, 0)
    lab.write('new.txt', 'new\n')
    expect(() => lab.commit('new')).toThrow('index.lock')

    const view = await look({ locksSince: startedAt })
    expect(view.removedLocks.toSorted()).toEqual(locks.toSorted())
    expect(isThere(old)).toBe(true)
    expect(view.gitDirectory).toEqual([])
    expect(view.changes.map(({ path }) => path)).toEqual(['new.txt'])
    lab.commit('new')
  })

  it('nothing is removed unless asked for', async () => {
    lab.start()
    const { look } = await lab.begin()
    const lock = lab.write('.git/index.lock', '')
    expect((await look()).removedLocks).toEqual([])
    expect(isThere(lock)).toBe(true)
  })
})
