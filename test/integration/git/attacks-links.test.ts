import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, gitProgram, isThere, Lab, value } from '../../support/repositories.ts'
import { refereeCycle } from '../../support/referee-cycle.ts'

/** Tests 16 to 20 of the attack list: links inside `.git`, and objects of another repository. */
let lab: Lab
let outside: string
beforeEach(() => {
  lab = new Lab()
  outside = lab.write(join(lab.root, 'bashrc'), 'outside\n')
})
afterEach(() => lab.remove())

const lines = (view: { gitDirectory: readonly { line: string }[] }): string =>
  view.gitDirectory.map((f) => f.line).join('\n')

function linkOutside(name: string): void {
  rmSync(join(lab.project, '.git', name), { force: true })
  symlinkSync(outside, join(lab.project, '.git', name))
}

describe('16 git-reflog-symlink', () => {
  it.each(['logs/HEAD', 'logs/refs/heads/main'])('%s as a link', async (name) => {
    lab.start()
    const begun = await lab.begin()
    linkOutside(name)
    lab.git('commit', '-q', '--allow-empty', '-m', 'evil')
    expect(readFileSync(outside, 'utf8')).toContain('evil')
    writeFileSync(outside, 'outside\n')

    lab.write('new.txt', 'new\n')
    const view = await refereeCycle(lab, begun)
    expect(readFileSync(outside, 'utf8')).toBe('outside\n')
    expect(lines(view)).toContain(`.git/${name} is a link to`)
  })

  it('as a second name of a file outside', async () => {
    lab.start()
    const begun = await lab.begin()
    rmSync(join(lab.project, '.git/logs/HEAD'))
    linkSync(outside, join(lab.project, '.git/logs/HEAD'))
    lab.write('new.txt', 'new\n')

    const view = await refereeCycle(lab, begun)
    expect(readFileSync(outside, 'utf8')).toBe('outside\n')
    expect(lines(view)).toContain('.git/logs/HEAD is a second name of another file')
  })
})

it('17 git-commit-editmsg-symlink', async () => {
  lab.start()
  const begun = await lab.begin()
  linkOutside('COMMIT_EDITMSG')
  lab.git('commit', '-q', '--allow-empty', '-m', 'evil')
  expect(readFileSync(outside, 'utf8')).toContain('evil')
  writeFileSync(outside, 'outside\n')

  lab.write('new.txt', 'new\n')
  const view = await refereeCycle(lab, begun)
  expect(readFileSync(outside, 'utf8')).toBe('outside\n')
  expect(lines(view)).toContain('.git/COMMIT_EDITMSG is a link to')
})

it('18 git-index-symlink', async () => {
  lab.start()
  const begun = await lab.begin()
  const elsewhere = join(lab.root, 'elsewhere')
  renameSync(join(lab.project, '.git/index'), elsewhere)
  symlinkSync(elsewhere, join(lab.project, '.git/index'))
  const before = readFileSync(elsewhere)
  lab.write('new.txt', 'new\n')

  expect(lines(await begun.look())).toContain('.git/index is a link to')
  expect(lab.git('status', '--porcelain')).toBe('?? new.txt\n')
  await refereeCycle(lab, begun)
  expect(readFileSync(elsewhere).equals(before)).toBe(true)
  expect(lab.git('status', '--porcelain')).toBe('')
})

describe('19 git-objects-symlink', () => {
  it.each(['objects', 'objects/pack', 'objects/info'])('%s stops the run', async (name) => {
    lab.start()
    const { referee, base } = await lab.begin()
    const elsewhere = join(lab.root, 'elsewhere')
    renameSync(join(lab.project, '.git', name), elsewhere)
    symlinkSync(elsewhere, join(lab.project, '.git', name))
    lab.write('new.txt', 'new\n')
    const before = execFileSync('find', [elsewhere], { encoding: 'utf8' })

    expect(failure(await referee.observe({ iteration: 1, base }))).toMatchObject({ reason: 'unsafe-git-directory' })
    expect(execFileSync('find', [elsewhere], { encoding: 'utf8' })).toBe(before)
  })

  it('a single object that is a link stops the run', async () => {
    lab.start()
    const { referee, base } = await lab.begin()
    const id = lab.git('rev-parse', 'HEAD').trim()
    const path = join(lab.project, '.git/objects', id.slice(0, 2), id.slice(2))
    renameSync(path, join(lab.root, 'object'))
    symlinkSync(join(lab.root, 'object'), path)
    expect(lab.git('log', '-1', '--format=%s').trim()).toBe('start')
    // Without a new commit nobody reads the project's objects.
    expect((await referee.observe({ iteration: 1, base })).ok).toBe(true)
    lab.git('commit', '-q', '--allow-empty', '-m', 'on top')

    expect(failure(await referee.observe({ iteration: 1, base }))).toMatchObject({ reason: 'unsafe-git-directory' })
  })
})

describe('20 git-alternates-private-repo', () => {
  async function plant(): Promise<{ secret: string; commit: string; objects: string }> {
    const secret = new Lab('private')
    const commit = secret.start({ 'secret.txt': 'the secret\n' })
    return { secret: secret.root, commit, objects: join(secret.project, '.git/objects') }
  }

  const refereeHas = (id: string): boolean => {
    try {
      execFileSync(gitProgram, [`--git-dir=${lab.stateDir}/referee.git`, 'cat-file', '-e', id], { stdio: 'pipe' })
      return true
    } catch (error) {
      if (error instanceof Error && 'status' in error) return false
      throw error
    }
  }

  it('never reaches the referee', async () => {
    lab.start()
    const begun = await lab.begin()
    const { secret, commit, objects } = await plant()
    lab.write('.git/objects/info/alternates', `${objects}\n`)
    lab.write('.git/refs/heads/main', `${commit}\n`)
    expect(lab.git('show', 'HEAD:secret.txt')).toBe('the secret\n')

    const view = await begun.look()
    expect(view.head).toBeNull()
    expect(view.headProblem).not.toBeNull()
    expect(view.baseIsAncestor).toBe(false)
    expect(refereeHas(commit)).toBe(false)
    expect(lines(view)).toContain('.git/objects/info/alternates was added')

    const repaired = value(
      await begun.referee.repairHistory({ iteration: 1, base: begun.base, branch: 'main', view, message: 'put back' }),
    )
    expect(repaired.commit).toBe(begun.base.commit)
    expect(lab.git('rev-parse', 'HEAD').trim()).toBe(begun.base.commit)
    rmSync(secret, { recursive: true })
  })

  it('nor by a ref that is a link', async () => {
    lab.start()
    const begun = await lab.begin()
    const { secret, commit, objects } = await plant()
    lab.write('.git/objects/info/alternates', `${objects}\n`)
    rmSync(join(lab.project, '.git/refs/heads/main'))
    symlinkSync(join(secret, 'private/.git/refs/heads/main'), join(lab.project, '.git/refs/heads/main'))
    expect(lab.git('show', 'HEAD:secret.txt')).toBe('the secret\n')

    const view = await begun.look()
    expect(view.head).toBeNull()
    expect(lines(view)).toContain('.git/refs/heads/main is a link to')
    expect(isThere(join(lab.project, '.git/refs/heads/main'))).toBe(false)
    expect(refereeHas(commit)).toBe(false)
    rmSync(secret, { recursive: true })
  })
})

it('a FIFO in the place of packed-refs does not hang anybody', async () => {
  lab.start()
  const begun = await lab.begin()
  execFileSync('mkfifo', [join(lab.project, '.git/packed-refs')])
  const found = failure(await begun.referee.observe({ iteration: 1, base: begun.base }))
  expect(found).toMatchObject({ reason: 'unsafe-git-directory' })
})
