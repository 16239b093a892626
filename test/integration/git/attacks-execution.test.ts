import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, Lab, value } from '../../support/repositories.ts'
import { refereeCycle } from '../../support/referee-cycle.ts'

/** Tests 1 to 14 of the attack list: each is first shown to work on plain git, then the referee does all it does. */
let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

const lines = (view: { gitDirectory: readonly { line: string }[] }): string =>
  view.gitDirectory.map((f) => f.line).join('\n')

describe('1 git-filter-clean-smudge-process', () => {
  it.each([
    ['clean', ['add', 'README.md']],
    ['process', ['add', 'README.md']],
    ['smudge', ['checkout', '-f', 'src/a.txt']],
  ])('%s', async (key, command) => {
    lab.start()
    const begun = await lab.begin()
    lab.git('config', `filter.x.${key}`, `'${lab.trap()}'`)
    lab.write('.gitattributes', '* filter=x\n')
    lab.write('README.md', 'changed\n')
    lab.write('src/a.txt', 'changed\n')
    lab.tryGit(...command)
    expect(lab.sprang()).toBe(true)

    const view = await refereeCycle(lab, begun)
    expect(view.changes.map(({ path }) => path)).toContain('README.md')
    expect(lines(view)).toContain('.git/config was changed')
  })
})

it('2 git-filter-info-attributes', async () => {
  lab.start()
  const begun = await lab.begin()
  lab.git('config', 'filter.x.clean', `'${lab.trap()}'`)
  lab.write('.git/info/attributes', '* filter=x\n')
  lab.write('README.md', 'changed\n')
  lab.git('add', 'README.md')
  expect(lab.sprang()).toBe(true)

  const view = await refereeCycle(lab, begun)
  expect(lines(view)).toContain('.git/info/attributes was added')
})

/** A second common directory with a configuration of the attacker's. */
function plantCommonDir(config: string): string {
  const evil = join(lab.root, 'evil')
  cpSync(join(lab.project, '.git'), evil, { recursive: true })
  writeFileSync(join(evil, 'config'), config)
  lab.write('.git/commondir', `${evil}\n`)
  return evil
}

it('3 git-commondir-filter', async () => {
  lab.start()
  const begun = await lab.begin()
  plantCommonDir(`[core]\n\trepositoryformatversion = 0\n[filter "x"]\n\tclean = "'${lab.trap()}'"\n`)
  lab.write('.gitattributes', '* filter=x\n')
  lab.write('README.md', 'changed\n')
  lab.git('add', 'README.md')
  expect(lab.sprang()).toBe(true)

  const view = await refereeCycle(lab, begun)
  expect(lines(view)).toContain('.git/commondir was added')
})

const promisor = (trap: string): string =>
  '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = x\n' +
  `[remote "x"]\n\tpromisor = true\n\turl = file:///nowhere\n\tuploadpack = "'${trap}'"\n`

/** Removes a blob, so that git wants to fetch it. */
function loseBlob(gitDir: string): void {
  const id = lab.git('rev-parse', 'HEAD:src/a.txt').trim()
  const path = join(gitDir, 'objects', id.slice(0, 2), id.slice(2))
  chmodSync(path, 0o644)
  rmSync(path)
}

it('4 git-commondir-promisor', async () => {
  lab.start()
  const begun = await lab.begin()
  const evil = plantCommonDir(promisor(lab.trap()))
  loseBlob(evil)
  lab.tryGit('log', '-p')
  expect(lab.sprang()).toBe(true)

  expect(lines(await refereeCycle(lab, begun))).toContain('.git/commondir was added')
})

describe('5 git-nested-repo-config', () => {
  it('is reported and never entered', async () => {
    lab.start()
    const begun = await lab.begin()
    const nested = join(lab.project, 'nested')
    mkdirSync(nested)
    lab.gitIn(nested, 'init', '-q')
    writeFileSync(join(nested, 'f'), 'f')
    lab.gitIn(nested, 'add', 'f')
    lab.gitIn(nested, 'commit', '-q', '-m', 'n')
    lab.gitIn(nested, 'config', 'core.fsmonitor', `'${lab.trap()}'`)
    writeFileSync(join(nested, 'g'), 'g')
    lab.git('add', '-A')
    lab.tryGit('status')
    expect(lab.sprang()).toBe(true)
    lab.git('reset', '-q')
    lab.sprang()

    const view = await begun.look()
    expect(view.nestedRepositories).toEqual(['nested'])
    expect(view.uncommitted).toEqual([])
    await refereeCycle(lab, begun)
  })

  it('is reported when the agent has committed it as a submodule', async () => {
    lab.start()
    const begun = await lab.begin()
    const nested = join(lab.project, 'nested')
    mkdirSync(nested)
    lab.gitIn(nested, 'init', '-q')
    lab.gitIn(nested, 'commit', '-q', '--allow-empty', '-m', 'n')
    lab.gitIn(nested, 'config', 'core.fsmonitor', `'${lab.trap()}'`)
    lab.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'nested')
    lab.git('commit', '-q', '-m', 'sub')
    lab.sprang()

    const view = await refereeCycle(lab, begun)
    expect(view.nestedRepositories).toEqual(['nested'])
    expect(view.changes).toEqual([{ path: 'nested', kind: 'added', now: 'nested-repository' }])
  })
})

it('6 git-absorbed-submodule-config', async () => {
  const library = join(lab.root, 'library')
  mkdirSync(library)
  lab.gitIn(library, 'init', '-q', '-b', 'main')
  writeFileSync(join(library, 'lib.txt'), 'lib\n')
  lab.gitIn(library, 'add', '.')
  lab.gitIn(library, 'commit', '-q', '-m', 'lib')
  lab.start()
  lab.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub')
  lab.commit('sub')
  const begun = await lab.begin()
  lab.gitIn(join(lab.project, 'sub'), 'config', 'core.fsmonitor', `'${lab.trap()}'`)
  lab.tryGit('status')
  expect(lab.sprang()).toBe(true)

  const view = await refereeCycle(lab, begun)
  expect(view.nestedRepositories).toEqual([])
  expect(lines(view)).toBe('.git/modules/sub/config was changed')
})

it('7 git-promisor-uploadpack', async () => {
  lab.start()
  const begun = await lab.begin()
  lab.write('.git/config', promisor(lab.trap()))
  loseBlob(join(lab.project, '.git'))
  lab.tryGit('log', '-p')
  expect(lab.sprang()).toBe(true)

  // The blob is in the referee's repository, so nothing needs it from the project.
  expect(lines(await refereeCycle(lab, begun))).toContain('.git/config was changed')
})

describe('8 git-fsmonitor-include-includeif-worktreeconfig', () => {
  const plant: Record<string, (trap: string) => void> = {
    fsmonitor: (trap) => lab.git('config', 'core.fsmonitor', trap),
    include: (trap) => {
      lab.write('extra', `[core]\n\tfsmonitor = "${trap}"\n`)
      lab.git('config', 'include.path', '../extra')
    },
    includeIf: (trap) => {
      lab.write('extra', `[core]\n\tfsmonitor = "${trap}"\n`)
      lab.git('config', 'includeIf.onbranch:main.path', '../extra')
    },
    'config.worktree': (trap) => {
      lab.git('config', 'extensions.worktreeConfig', 'true')
      lab.git('config', '--worktree', 'core.fsmonitor', trap)
    },
  }
  it.each(Object.keys(plant))('%s', async (name) => {
    lab.start()
    const begun = await lab.begin()
    plant[name]?.(`'${lab.trap()}'`)
    lab.tryGit('status')
    expect(lab.sprang()).toBe(true)

    expect(lines(await refereeCycle(lab, begun))).toContain('.git/config was changed')
  })
})

describe('9 git-hooks-all-events', () => {
  const events = (
    'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit ' +
    'pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update ' +
    'reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change'
  ).split(' ')

  it('in .git/hooks', async () => {
    lab.start()
    const begun = await lab.begin()
    for (const event of events) lab.write(`.git/hooks/${event}`, `#!/bin/sh\ntouch '${lab.canary}'\n`, 0o755)
    lab.git('commit', '-q', '--allow-empty', '-m', 'x')
    expect(lab.sprang()).toBe(true)

    lab.write('new.txt', 'new\n')
    const view = await refereeCycle(lab, begun)
    expect(view.gitDirectory).toHaveLength(events.length)
    expect(view.gitDirectory.every(({ goodFaith }) => !goodFaith)).toBe(true)
    expect(view.rejected.map(({ content }) => content?.toString())).toContain(`#!/bin/sh\ntouch '${lab.canary}'\n`)
    expect(readdirSync(join(lab.project, '.git/hooks')).every((name) => name.endsWith('.sample'))).toBe(true)
  })

  it('by core.hooksPath', async () => {
    lab.start()
    const begun = await lab.begin()
    for (const event of events) lab.write(`my hooks/${event}`, `#!/bin/sh\ntouch '${lab.canary}'\n`, 0o755)
    lab.git('config', 'core.hooksPath', join(lab.project, 'my hooks'))
    lab.git('commit', '-q', '--allow-empty', '-m', 'x')
    expect(lab.sprang()).toBe(true)

    await refereeCycle(lab, begun)
  })
})

it('10 git-gpg-showsignature', async () => {
  lab.start()
  const begun = await lab.begin()
  lab.git('config', 'gpg.program', lab.trap())
  lab.git('config', 'commit.gpgSign', 'true')
  lab.git('config', 'log.showSignature', 'true')
  lab.tryGit('commit', '--allow-empty', '-m', 'x')
  expect(lab.sprang()).toBe(true)

  lab.write('new.txt', 'new\n')
  await refereeCycle(lab, begun)
})

describe('11 git-gitfile-swap', () => {
  it('a directory that became a file stops the run', async () => {
    lab.start()
    const { referee, base } = await lab.begin()
    const moved = join(lab.root, 'moved')
    cpSync(join(lab.project, '.git'), moved, { recursive: true })
    rmSync(join(lab.project, '.git'), { recursive: true })
    lab.write('.git', `gitdir: ${moved}\n`)
    lab.git('config', 'core.fsmonitor', `'${lab.trap()}'`)
    lab.tryGit('status')
    expect(lab.sprang()).toBe(true)

    const found = failure(await referee.observe({ iteration: 1, base }))
    expect(found).toMatchObject({ reason: 'unsafe-git-directory', path: join(lab.project, '.git') })
    expect(
      failure(await referee.deliver({ commit: base.commit, branch: 'main', expected: base.commit })),
    ).toMatchObject({
      reason: 'unsafe-git-directory',
    })
    expect(lab.sprang()).toBe(false)
  })

  it("a linked work tree's file is written again", async () => {
    const main = new Lab()
    main.start()
    const linked = join(main.root, 'linked')
    main.git('worktree', 'add', '-q', '-b', 'side', linked)
    const { referee } = { referee: value(await main.open({ project: linked })) }
    const first = value(await referee.observe({ iteration: 1, base: null }))
    const base = { commit: first.head ?? '', tree: first.tree }
    main.gitIn(main.root, 'init', '-q', 'evil')
    main.gitIn(join(main.root, 'evil'), 'config', 'core.fsmonitor', `'${main.trap()}'`)
    main.gitIn(join(main.root, 'evil'), 'config', 'core.worktree', linked)
    writeFileSync(join(linked, '.git'), `gitdir: ${join(main.root, 'evil/.git')}\n`)
    main.gitIn(linked, 'add', '.')
    main.gitIn(linked, 'status')
    expect(main.sprang()).toBe(true)

    const view = value(await referee.observe({ iteration: 1, base }))
    expect(main.sprang()).toBe(false)
    expect(lines(view)).toContain('.git no longer names the same repository')
    expect(view.branch).toBe('side')
    expect(main.gitIn(linked, 'rev-parse', '--abbrev-ref', 'HEAD').trim()).toBe('side')
    main.remove()
  })
})

it('12 git-implicit-bare-repo', async () => {
  lab.start()
  const begun = await lab.begin()
  lab.gitIn(lab.project, 'init', '-q', '--bare', 'assets')
  lab.write(
    'assets/config',
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "'${lab.trap()}'"\n`,
  )
  lab.gitIn(join(lab.project, 'assets'), 'add', '-A', '--', '..')
  lab.gitIn(join(lab.project, 'assets'), 'status')
  expect(lab.sprang()).toBe(true)

  const view = await refereeCycle(lab, begun)
  expect(view.changes.map(({ path }) => path)).toContain('assets/config')
})

it('13 git-alternate-refs-command', async () => {
  lab.start()
  const begun = await lab.begin()
  lab.gitIn(lab.root, 'clone', '-q', lab.project, 'other')
  lab.gitIn(join(lab.root, 'other'), 'commit', '-q', '--allow-empty', '-m', 'other')
  lab.write('.git/objects/info/alternates', `${join(lab.root, 'other/.git/objects')}\n`)
  lab.git('config', 'core.alternateRefsCommand', `'${lab.trap()}'`)
  lab.tryGit('fetch', '-q', join(lab.root, 'other'))
  expect(lab.sprang()).toBe(true)

  lab.write('new.txt', 'new\n')
  const view = await refereeCycle(lab, begun)
  expect(lines(view)).toContain('.git/objects/info/alternates was added')
})

it("14 git-push-delivery-hooks: not even the user's own hooks run on a delivery", async () => {
  lab.start()
  for (const event of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
    lab.write(`.git/hooks/${event}`, `#!/bin/sh\ntouch '${lab.canary}'\n`, 0o755)
  }
  lab.gitIn(lab.root, 'clone', '-q', lab.project, 'other')
  lab.gitIn(join(lab.root, 'other'), 'push', '-q', 'origin', 'HEAD:refs/heads/pushed')
  expect(lab.sprang()).toBe(true)

  const begun = await lab.begin()
  lab.write('new.txt', 'new\n')
  const view = await refereeCycle(lab, begun)
  expect(view.gitDirectory).toEqual([])
  expect(lab.git('show', 'HEAD:new.txt')).toBe('new\n')
})
