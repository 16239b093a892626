import { chmodSync, cpSync, mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, Lab } from '../../support/repositories.ts'

/** Tests 24 to 29 of the attack list: plain `git status` is clean, and the change is seen all the same. */
let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

const paths = (view: { changes: readonly { path: string }[] }): string[] => view.changes.map(({ path }) => path)

it('24 git-assume-unchanged', async () => {
  lab.start()
  const { look } = await lab.begin()
  lab.git('update-index', '--assume-unchanged', 'README.md')
  lab.write('README.md', 'changed\n')
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(paths(await look())).toEqual(['README.md'])
})

describe('25 git-skip-worktree-sparse', () => {
  it('skip-worktree', async () => {
    lab.start()
    const { look } = await lab.begin()
    lab.git('update-index', '--skip-worktree', 'README.md')
    lab.write('README.md', 'changed\n')
    expect(lab.git('status', '--porcelain')).toBe('')
    expect(paths(await look())).toEqual(['README.md'])
  })

  it('sparse-checkout', async () => {
    lab.start()
    const { look } = await lab.begin()
    lab.git('sparse-checkout', 'set', '--no-cone', '/src/')
    expect(lab.git('status', '--porcelain')).toBe('')
    const view = await look()
    expect(view.changes).toEqual([{ path: 'README.md', kind: 'deleted', now: 'nothing' }])
    expect(view.uncommitted).toEqual(['README.md'])
  })
})

it('26 git-info-exclude', async () => {
  lab.start()
  const { look } = await lab.begin()
  lab.write('.git/info/exclude', 'hidden.txt\n')
  lab.write('hidden.txt', 'hidden\n')
  expect(lab.git('status', '--porcelain')).toBe('')
  const view = await look()
  expect(paths(view)).toEqual(['hidden.txt'])
  expect(view.gitDirectory.map(({ line }) => line)).toEqual(['.git/info/exclude was changed'])
  expect(lab.git('status', '--porcelain')).toBe('?? hidden.txt\n')
})

it('27 git-core-worktree-lie', async () => {
  lab.start()
  const { look } = await lab.begin()
  const decoy = join(lab.root, 'decoy')
  mkdirSync(decoy)
  cpSync(join(lab.project, 'README.md'), join(decoy, 'README.md'))
  cpSync(join(lab.project, 'src'), join(decoy, 'src'), { recursive: true })
  lab.git('config', 'core.worktree', decoy)
  lab.write('README.md', 'changed\n')
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(paths(await look())).toEqual(['README.md'])
})

describe('28 git-same-size-same-mtime', () => {
  it('is seen by its ctime', async () => {
    lab.start()
    const { look } = await lab.begin()
    const file = join(lab.project, 'README.md')
    const past = new Date('2020-01-01T00:00:00Z')
    utimesSync(file, past, past)
    lab.git('update-index', '--refresh')
    await look()
    lab.write('README.md', 'HELLO\n')
    utimesSync(file, past, past)
    // On the command line: what an agent writes into .git/config is gone after a look.
    expect(lab.git('-c', 'core.trustctime=false', 'status', '--porcelain')).toBe('')
    expect(paths(await look())).toEqual(['README.md'])
  })

  it('is seen whatever the index says when the look is thorough', async () => {
    lab.start()
    const { look } = await lab.begin()
    // No ctime can be forged here, so the referee's own index is made to lie.
    lab.refereeGit('update-index', '--assume-unchanged', 'README.md')
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(lab.stateDir, 'index'), later, later)
    lab.write('README.md', 'HELLO\n')
    expect(paths(await look())).toEqual([])
    expect(paths(await look({ thorough: true }))).toEqual(['README.md'])
  })
})

describe('29 git-gitignore-hides-conftest', () => {
  it('by a changed ignore file', async () => {
    lab.start({ 'README.md': 'hello\n', '.gitignore': '*.log\n', 'tests/test_a.py': 'pass\n' })
    lab.write('debug.log', 'an old log\n')
    const { look } = await lab.begin()
    lab.write('.gitignore', '*.log\nconftest.py\n')
    lab.write('tests/conftest.py', 'import os; os._exit(0)\n')
    lab.write('other.log', 'ignored by the old rules\n')
    lab.commit('hide')
    expect(lab.git('status', '--porcelain')).toBe('')
    const view = await look()
    expect(view.newlyIgnored).toEqual(['tests/conftest.py'])
    expect(paths(view)).toEqual(['.gitignore'])
  })

  it('by an ignore file that ignores itself', async () => {
    lab.start({ 'README.md': 'hello\n', 'tests/test_a.py': 'pass\n' })
    const { look, base } = await lab.begin()
    lab.write('tests/.gitignore', '*\n')
    lab.write('tests/conftest.py', 'import os; os._exit(0)\n')
    lab.write('tests/deep/x', 'x')
    expect(lab.git('status', '--porcelain')).toBe('')
    const hidden = ['tests/.gitignore', 'tests/conftest.py', 'tests/deep/']
    expect((await look()).newlyIgnored).toEqual(hidden)
    expect((await look()).newlyIgnored, 'a second look at the same iteration').toEqual(hidden)
    lab.write('next.txt', 'an iteration later\n')
    const next = { commit: base.commit, tree: (await look()).tree }
    expect((await look({ base: next })).newlyIgnored).toEqual([])
  })

  it('a file that was seen before and is ignored now is named', async () => {
    lab.start({ 'README.md': 'hello\n', 'tests/test_a.py': 'pass\n' })
    lab.write('notes.txt', 'untracked\n')
    const { look, view } = await lab.begin()
    expect(view.uncommitted).toEqual(['notes.txt'])
    lab.write('.gitignore', 'notes.txt\n')
    const after = await look()
    expect(after.newlyIgnored).toEqual(['notes.txt'])
    expect(after.uncommitted).toEqual(['.gitignore'])
    expect(readFileSync(join(lab.project, 'notes.txt'), 'utf8')).toBe('untracked\n')
  })
})

it('a crowd in .git/hooks hides nothing behind it', async () => {
  lab.start()
  const { referee, base } = await lab.begin()
  for (let count = 0; count < 5001; count++) lab.write(`.git/hooks/${count}`, '')
  lab.write('.git/info/grafts', '')
  const stopped = failure(await referee.observe({ iteration: 1, base }))
  expect(stopped).toMatchObject({ reason: 'unsafe-git-directory' })
})

it('names that git refuses as other forms of .git are named', async () => {
  lab.start()
  const { look } = await lab.begin()
  const names = ['.GIT', '.git ', '.git::$INDEX_ALLOCATION', '.g\u{200c}it', 'src/git~1']
  for (const name of names) lab.write(name, 'x')
  const view = await look()
  expect(view.leftOut.map(({ path }) => path).sort()).toEqual(names.sort())
  expect(view.uncommitted).toEqual([])
})

it('status.showUntrackedFiles=no and core.fileMode=false hide nothing', async () => {
  lab.start()
  const { look } = await lab.begin()
  lab.git('config', 'status.showUntrackedFiles', 'no')
  lab.git('config', 'core.fileMode', 'false')
  lab.write('new.txt', 'new\n')
  lab.write('src/a.txt', 'a\n')
  chmodSync(join(lab.project, 'src/a.txt'), 0o755)
  expect(lab.git('status', '--porcelain')).toBe('')
  expect((await look()).changes).toEqual([
    { path: 'new.txt', kind: 'added', now: 'file' },
    { path: 'src/a.txt', kind: 'modified', now: 'executable' },
  ])
})
