import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeFailure } from '../../../src/model/describe-failure.ts'
import { failure, isThere, Lab, value } from '../../support/repositories.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

/** What a refused start says. */
async function refusal(): Promise<string> {
  const found = failure(await lab.open())
  expect(found.reason).toBe('not-a-repository')
  const { what, fix } = describeFailure(found)
  return `${what} ${fix}`
}

describe('a run does not start', () => {
  it('outside a repository', async () => {
    expect(await refusal()).toContain('git init')
  })

  it('without a commit', async () => {
    lab.git('init', '-q', '-b', 'main')
    expect(await refusal()).toContain('no commit yet')
  })

  it('on a detached HEAD', async () => {
    lab.start()
    lab.git('checkout', '-q', '--detach')
    expect(await refusal()).toContain('git switch')
  })

  it('in a bare repository', async () => {
    lab.git('init', '-q', '--bare', '.')
    expect(await refusal()).toContain('bare')
  })

  it('below the top of the work tree', async () => {
    lab.start()
    const found = failure(await lab.open({ project: join(lab.project, 'src') }))
    expect(describeFailure(found).fix).toContain(lab.project)
  })

  it('in a sparse checkout', async () => {
    lab.start()
    lab.git('sparse-checkout', 'set', '--no-cone', '/src/')
    expect(await refusal()).toContain('git sparse-checkout disable')
  })

  it('in a partial clone, until it is whole', async () => {
    const origin = new Lab()
    origin.start()
    origin.write('README.md', 'again\n')
    origin.commit('two')
    origin.git('config', 'uploadpack.allowFilter', 'true')
    rmSync(lab.project, { recursive: true })
    lab.gitIn(lab.root, 'clone', '-q', '--filter=blob:none', `file://${origin.project}`, lab.project)
    expect(failure(await lab.open())).toMatchObject({ fix: 'Run "git fetch --refetch --no-filter".' })
    lab.git('fetch', '-q', '--refetch', '--no-filter')
    value(await lab.open())
    origin.remove()
  })

  it('with the state directory in the project', async () => {
    lab.start()
    expect(failure(await lab.open({ stateDir: join(lab.project, '.state') })).reason).toBe('unsafe-project')
  })

  it('with a filter that only the repository defines', async () => {
    lab.start({ 'secret.key': 'plain\n', '.gitattributes': '*.key filter=crypt\n' })
    lab.git('config', 'filter.crypt.clean', 'tr a-z b-za')
    expect(await refusal()).toContain('crypt')
  })
})

describe('an open operation is refused with the command that ends it', () => {
  function conflict(): void {
    lab.start({ f: 'start\n' })
    lab.git('switch', '-q', '-c', 'side')
    lab.write('f', 'side\n')
    lab.commit('side')
    lab.git('switch', '-q', 'main')
    lab.write('f', 'main\n')
    lab.commit('main')
  }
  it.each([
    ['merge', ['merge', 'side']],
    ['rebase', ['rebase', 'side']],
    ['cherry-pick', ['cherry-pick', 'side']],
    ['revert', ['revert', 'side']],
    ['bisect', ['bisect', 'start']],
  ])('%s', async (name, command) => {
    conflict()
    lab.tryGit(...command)
    // A rebase detaches HEAD, which is named first.
    expect(await refusal()).toMatch(name === 'rebase' ? /detached|rebase/ : new RegExp(`git ${name} (--abort|reset)`))
  })
})

describe('a run starts', () => {
  it('although a filter of the repository is defined, when no file uses it', async () => {
    lab.start()
    lab.git('config', 'filter.unused.clean', 'cat')
    value(await lab.open())
  })

  it('with GIT_DIR of a hook in the environment', async () => {
    lab.start()
    const environment = { ...lab.environment, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' }
    const referee = value(await lab.open({ environment }))
    expect(value(await referee.observe({ iteration: 1, base: null })).uncommitted).toEqual([])
  })

  it.runIf(process.getuid?.() === 0)('in a repository of another user that the user trusts', async () => {
    lab.start()
    execFileSync('chown', ['-R', '65534:65534', lab.project])
    chownSync(lab.project, 65_534, 65_534)
    expect(await refusal()).toContain('safe.directory')
    lab.gitIn(lab.root, 'config', '--global', 'safe.directory', lab.project)
    const { look } = await lab.begin()
    lab.write('new.txt', 'new\n')
    lab.commit('new')
    expect((await look()).changes).toHaveLength(1)
  })
})

describe('taken up again', () => {
  it('compares with the start, not with what it finds', async () => {
    lab.start()
    const first = await lab.begin()
    lab.git('config', 'core.fsmonitor', `'${lab.trap()}'`)
    lab.write('new.txt', 'new\n')
    writeFileSync(join(lab.stateDir, 'index.lock'), '')

    const again = value(await lab.open())
    const view = value(await again.observe({ iteration: 1, base: first.base }))
    expect(lab.sprang()).toBe(false)
    expect(view.gitDirectory.map(({ line }) => line)).toEqual(['.git/config was changed'])
    expect(view.changes.map(({ path }) => path)).toEqual(['new.txt'])
  })

  it('by another run takes the present state as its start', async () => {
    lab.start()
    await lab.begin()
    lab.git('config', 'user.name', 'Somebody')
    const next = value(await lab.open({ runId: '20260102-120000-0a1b2c3d' }))
    expect(value(await next.observe({ iteration: 1, base: null })).gitDirectory).toEqual([])
    expect(lab.git('config', 'user.name').trim()).toBe('Somebody')
  })

  it('writes nothing into the project', async () => {
    lab.start()
    const before = execFileSync('find', ['.', '-newermt', '2000-01-01', '-printf', '%p %T@ %s\\n'], {
      cwd: lab.project,
    })
    mkdirSync(lab.stateDir)
    await lab.begin()
    const after = execFileSync('find', ['.', '-newermt', '2000-01-01', '-printf', '%p %T@ %s\\n'], { cwd: lab.project })
    expect(after.toString()).toBe(before.toString())
    expect(isThere(join(lab.stateDir, 'referee.git/config'))).toBe(true)
  })
})
