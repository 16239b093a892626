import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentBranch } from '../../../src/git/current-branch.ts'
import { findDirty } from '../../../src/git/find-dirty.ts'
import { switchBranch } from '../../../src/git/switch-branch.ts'
import { describeFailure, exitCodeFor } from '../../../src/model/describe-failure.ts'
import { failure, gitProgram, Lab, value } from '../../support/repositories.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

const place = () => ({ project: lab.project, git: gitProgram, environment: lab.environment })
const switchTo = (branch: string) => switchBranch({ ...place(), branch })
const dirty = async (): Promise<string[]> =>
  value(await findDirty(place()))
    .map(({ path }) => path)
    .toSorted()

/** Hooks of every kind and a file monitor that leave the canary. */
function setTraps(): void {
  const trap = lab.trap()
  for (const name of [
    'post-checkout',
    'pre-commit',
    'reference-transaction',
    'post-index-change',
    'fsmonitor-watchman',
  ]) {
    rmSync(join(lab.project, '.git/hooks', name), { force: true })
    mkdirSync(join(lab.project, '.git/hooks'), { recursive: true })
    symlinkSync(trap, join(lab.project, '.git/hooks', name))
  }
  lab.git('config', 'core.fsmonitor', `'${trap}'`)
}

describe('currentBranch', () => {
  it('is the branch, also before its first commit and with a slash in its name', () => {
    lab.git('init', '-q', '-b', 'ralph/first')
    expect(currentBranch(lab.project)).toBe('ralph/first')
  })

  it('is null for a detached HEAD and without a repository', () => {
    expect(currentBranch(lab.project)).toBe(null)
    lab.start()
    lab.git('checkout', '-q', '--detach')
    expect(currentBranch(lab.project)).toBe(null)
  })
})

describe('switchBranch', () => {
  it('makes the branch at HEAD, and keeps what is not committed', async () => {
    const head = lab.start()
    lab.gitIn(lab.root, 'config', '--global', 'branch.autoSetupMerge', 'always')
    lab.write('src/a.txt', 'changed\n')
    lab.write('new.txt', 'new\n')
    expect(value(await switchTo('ralph/feature'))).toBe('created')
    expect(currentBranch(lab.project)).toBe('ralph/feature')
    expect(lab.git('rev-parse', 'HEAD').trim()).toBe(head)
    expect(lab.git('status', '--porcelain')).toBe(' M src/a.txt\n?? new.txt\n')
    expect(lab.git('config', '--list', '--local')).not.toContain('branch.')
  })

  it('switches to one that is there, loose or packed', async () => {
    lab.start()
    lab.git('switch', '-q', '-c', 'side')
    lab.write('side.txt', 'side\n')
    lab.commit('side')
    expect(value(await switchTo('main'))).toBe('switched')
    expect(existsSync(join(lab.project, 'side.txt'))).toBe(false)
    lab.git('pack-refs', '--all')
    expect(value(await switchTo('side'))).toBe('switched')
    expect(readFileSync(join(lab.project, 'side.txt'), 'utf8')).toBe('side\n')
  })

  it('does nothing where it is there already', async () => {
    lab.start()
    lab.write('.git/index.lock', '')
    expect(value(await switchTo('main'))).toBe('already')
  })

  it('comes back from a detached HEAD', async () => {
    lab.start()
    lab.git('checkout', '-q', '--detach')
    expect(value(await switchTo('main'))).toBe('switched')
    expect(currentBranch(lab.project)).toBe('main')
  })

  it('does not take a branch of a remote for one of ours', async () => {
    const head = lab.start()
    lab.git('update-ref', 'refs/remotes/origin/feature', lab.git('commit-tree', '-m', 'x', `${head}^{tree}`).trim())
    lab.git('remote', 'add', 'origin', lab.root)
    expect(value(await switchTo('feature'))).toBe('created')
    expect(lab.git('rev-parse', 'HEAD').trim()).toBe(head)
  })

  it('runs no hook and no monitor of the repository', async () => {
    lab.start()
    setTraps()
    lab.tryGit('switch', '-c', 'proof')
    expect(lab.sprang()).toBe(true)
    expect(value(await switchTo('ralph/feature'))).toBe('created')
    expect(value(await switchTo('main'))).toBe('switched')
    expect(lab.sprang()).toBe(false)
  })

  it('runs no program of the project for the filters of the user', async () => {
    lab.gitIn(lab.root, 'config', '--global', 'filter.own.smudge', 'own-filter')
    const bin = join(lab.project, 'node_modules/.bin')
    lab.start({ '.gitattributes': '*.bin filter=own\n', '.gitignore': 'node_modules\n', 'a.txt': 'a\n' })
    lab.git('switch', '-q', '-c', 'side')
    lab.write('data.bin', 'data\n')
    lab.commit('side')
    lab.git('switch', '-q', 'main')
    lab.write(join(bin, 'own-filter'), `#!/bin/sh\ntouch '${lab.canary}'\ncat\n`, 0o755)
    chmodSync(join(bin, 'own-filter'), 0o755)
    lab.environment['PATH'] = `${bin}:${lab.environment['PATH'] ?? ''}`
    value(await switchTo('side'))
    expect(lab.sprang()).toBe(false)
    lab.git('switch', '-q', 'main')
    lab.git('switch', '-q', 'side')
    expect(lab.sprang()).toBe(true)
  })

  it('is not led astray by the environment of a hook', async () => {
    lab.start()
    Object.assign(lab.environment, { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere' })
    expect(value(await switchTo('ralph/feature'))).toBe('created')
  })

  describe('says what is in the way, and changes nothing:', () => {
    const refusal = async (branch: string): Promise<string> => {
      const before = currentBranch(lab.project)
      const problem = failure(await switchTo(branch))
      expect(problem).toMatchObject({ reason: 'cannot-switch', branch })
      expect(exitCodeFor(problem)).toBe(2)
      expect(currentBranch(lab.project)).toBe(before)
      const { what, fix } = describeFailure(problem)
      return `${what} ${fix}`
    }

    it('changes that would be overwritten', async () => {
      lab.start()
      lab.git('switch', '-q', '-c', 'side')
      for (const name of ['a', 'b', 'c', 'd', 'e']) lab.write(name, 'side\n')
      lab.commit('side')
      lab.git('switch', '-q', 'main')
      for (const name of ['a', 'b', 'c', 'd', 'e']) lab.write(name, 'mine\n')
      expect(await refusal('side')).toMatch(/your changes of a, b, c and 2 more would be lost.*Commit or stash/)
      expect(readFileSync(join(lab.project, 'a'), 'utf8')).toBe('mine\n')
    })

    it('the same branch in another work tree', async () => {
      lab.start()
      lab.git('worktree', 'add', '-q', '-b', 'side', join(lab.root, 'elsewhere'))
      expect(await refusal('side')).toContain(`checked out in ${join(lab.root, 'elsewhere')}`)
    })

    it('a branch whose name is the directory of this one', async () => {
      lab.start()
      expect(await refusal('main/feature')).toContain('refs/heads/main')
    })

    it('a lock', async () => {
      lab.start()
      lab.git('branch', 'side')
      lab.write('.git/index.lock', '')
      expect(await refusal('side')).toContain('index.lock')
    })

    it.each(['--detach', '-', 'a b', 'a..b', '', 'x.lock', 'a\u{1b}b'])('the name %j', async (branch) => {
      lab.start()
      expect(await refusal(branch)).toContain('git takes no such name')
    })
  })
})

describe('findDirty', () => {
  it('finds nothing in a clean project', async () => {
    lab.start({ '.gitignore': 'ignored\n', 'a.txt': 'a\n' })
    lab.write('ignored', '')
    expect(await dirty()).toEqual([])
  })

  it('names what is changed, staged, deleted, renamed or new, file by file', async () => {
    lab.start({ 'changed.txt': 'a\n', 'staged.txt': 'b\n', 'deleted.txt': 'c\n', 'old name.txt': 'd\n'.repeat(20) })
    lab.git('config', 'status.showUntrackedFiles', 'no')
    lab.git('config', 'status.renames', 'true')
    lab.write('changed.txt', 'x\n')
    lab.write('staged.txt', 'x\n')
    lab.git('add', 'staged.txt')
    rmSync(join(lab.project, 'deleted.txt'))
    lab.git('mv', 'old name.txt', 'new name.txt')
    lab.write('new/deep/file.txt', '')
    lab.write('new/täst\n.txt', '')
    expect(await dirty()).toEqual([
      'changed.txt',
      'deleted.txt',
      'new name.txt',
      'new/deep/file.txt',
      'new/täst\n.txt',
      'old name.txt',
      'staged.txt',
    ])
  })

  it('leaves submodules and repositories inside to themselves', async () => {
    lab.start()
    lab.gitIn(lab.project, 'init', '-q', '-b', 'main', 'inner')
    lab.write('inner/a', 'a\n')
    lab.gitIn(join(lab.project, 'inner'), 'add', '-A')
    lab.gitIn(join(lab.project, 'inner'), 'commit', '-q', '-m', 'inner')
    expect(await dirty()).toEqual([])
    lab.commit('a link to it')
    lab.write('inner/a', 'changed\n')
    expect(await dirty()).toEqual([])
  })

  it('leaves out the files of the runner', async () => {
    lab.start()
    for (const path of ['.ralph-active', '.ralph/guardrail_1_x.log', '.ralph/settings.json']) lab.write(path, '')
    const found = value(await findDirty({ ...place(), ignore: ['.ralph-active', '.ralph/guardrail_*'] }))
    expect(found).toEqual([{ path: '.ralph/settings.json', isUntracked: true }])
  })

  it('runs no hook and no monitor of the repository', async () => {
    lab.start()
    setTraps()
    lab.write('src/a.txt', 'b\n')
    lab.tryGit('status')
    expect(lab.sprang()).toBe(true)
    expect(await dirty()).toEqual(['src/a.txt'])
    expect(lab.sprang()).toBe(false)
  })

  it('writes nothing', async () => {
    lab.start()
    const index = readFileSync(join(lab.project, '.git/index'))
    lab.write('.git/index.lock', '')
    lab.write('new', '')
    expect(await dirty()).toEqual(['new'])
    expect(readFileSync(join(lab.project, '.git/index')).equals(index)).toBe(true)
  })

  it('has a value where there is no repository', async () => {
    expect(failure(await findDirty(place()))).toMatchObject({ reason: 'git-failed' })
  })
})

describe('commitsSince', () => {
  it('lists what is new, oldest first, also what was merged', async () => {
    lab.start()
    const { referee, base, look } = await lab.begin()
    const commit = (name: string): string => {
      lab.write(name, name)
      return lab.commit(name)
    }
    const first = commit('1')
    lab.git('switch', '-q', '-c', 'side')
    const side = commit('side')
    lab.git('switch', '-q', 'main')
    const second = commit('2')
    lab.git('merge', '-q', '--no-edit', 'side')
    const head = (await look()).head ?? ''
    const found = value(await referee.commitsSince(base.commit, head))
    expect(found[0]).toBe(first)
    expect(found.at(-1)).toBe(head)
    expect([...found].toSorted()).toEqual([first, side, second, head].toSorted())
    expect(value(await referee.commitsSince(head, head))).toEqual([])
    expect(value(await referee.commitsSince(head, base.commit))).toEqual([])
  })

  it('stops at a thousand, and keeps the newest', async () => {
    lab.start()
    const { referee, base } = await lab.begin()
    const stream = Array.from({ length: 1002 }, (_, index) => {
      const from = index === 0 ? `from ${base.commit}\n` : ''
      return `commit refs/heads/many\ncommitter A <a@b> ${index + 1700000000} +0000\ndata 1\nx\n${from}\n`
    })
    lab.write(join(lab.root, 'stream'), stream.join(''))
    lab.gitIn(lab.project, 'config', 'alias.many', `!git fast-import --quiet < '${join(lab.root, 'stream')}'`)
    lab.git('many')
    lab.refereeGit('fetch', '-q', lab.project, 'many')
    const head = lab.git('rev-parse', 'many').trim()
    const found = value(await referee.commitsSince(base.commit, head))
    expect(found).toHaveLength(1000)
    expect(found.at(-1)).toBe(head)
    expect(found[0]).toBe(lab.git('rev-parse', 'many~999').trim())
  })

  it('has a value for a commit that it does not know', async () => {
    lab.start()
    const { referee, base } = await lab.begin()
    expect(failure(await referee.commitsSince(base.commit, 'f'.repeat(40)))).toMatchObject({ reason: 'git-failed' })
  })
})
