import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { BoxSite } from '../../support/box-site.ts'
import { gitProgram } from '../../support/repositories.ts'
import { newOsPlace, ownedBy, runInBox, users } from './lab.ts'

/** Each plants something that a plain git of the user's would run: the program `$CANARY`. */
const vectors: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'git config core.fsmonitor "$CANARY"; printf "[core]\\nfsmonitor = $CANARY\\n" >> .git/config',
  'a filter': 'echo "* filter=x" > .gitattributes; git config filter.x.clean "$CANARY"; touch -d 1999-01-01 README.md',
  'a filter by info/attributes':
    'echo "* filter=x" > .git/info/attributes; git config filter.x.clean "$CANARY"; touch -d 1999-01-01 README.md',
  'a hook': 'cp "$CANARY" .git/hooks/post-index-change; touch -d 1999-01-01 README.md',
  'core.hooksPath':
    'mkdir h; cp "$CANARY" h/post-index-change; git config core.hooksPath h; touch -d 1999-01-01 README.md',
  'an include': 'printf "[core]\\nfsmonitor = $CANARY\\n" > inc; git config include.path ../inc',
  'config.worktree':
    'git config extensions.worktreeConfig true; printf "[core]\\nfsmonitor = $CANARY\\n" > .git/config.worktree',
  commondir:
    'cp -r .git c; printf "[core]\\nfsmonitor = $CANARY\\n" >> c/config; rm -f .git/commondir; echo ../c > .git/commondir',
  'a program for signatures':
    'git config log.showSignature true; git config gpg.program "$CANARY"; signed=$(git cat-file commit HEAD | sed "/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n x\\n -----END PGP SIGNATURE-----" | git hash-object -t commit -w --stdin); git update-ref HEAD $signed',
  'an external diff': 'git config diff.external "$CANARY"; echo more >> README.md',
  'another .git':
    'git init -q other; printf "[core]\\nfsmonitor = $CANARY\\n" >> other/.git/config; mv .git g; mv other/.git .git',
  'a .git that is a file':
    'git init -q other; printf "[core]\\nfsmonitor = $CANARY\\n" >> other/.git/config; mv .git g; rm -rf .git; echo "gitdir: other/.git" > .git',
  'a repository around the .git that it broke':
    'cp -r .git/HEAD .git/refs .git/objects .; printf "[core]\\nbare = false\\nworktree = .\\nfsmonitor = $CANARY\\nrepositoryformatversion = 0\\n" > config; rm -rf .git; rm -f .git/HEAD; mv .git/refs .git/r; rm -rf .git/refs .git/objects',
  'a moved part':
    'mv .git/hooks .git/h2; mkdir .git/hooks; cp "$CANARY" .git/hooks/post-index-change; touch -d 1999-01-01 README.md',
}

describe.skipIf(inject('srt') === null).each(users)('git in the OS sandbox, as %s', (user) => {
  let place: BoxSite
  beforeEach(() => {
    place = ownedBy(user, newOsPlace())
  })
  afterEach(() => place.remove())

  /** As the user's prompt or editor calls it meanwhile. */
  const asTheUser = (project: string, ...args: string[]): string => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: place.site.home, ...trusting }
    return spawnSync(gitProgram, args, { cwd: project, env, encoding: 'utf8', timeout: 20_000 }).stdout
  }
  const commit = 'git -c user.name=A -c user.email=a@b commit -q -m'

  // Who is root is refused the least by the system, so what holds for root is enough; each of them takes seconds.
  const tried = user === users[0] ? Object.entries(vectors) : []

  /** A program that leaves a sign where no box lets it. */
  function newCanary(): { readonly program: string; readonly sign: string } {
    const directory = mkdtempSync('/var/tmp/ralph-canary-')
    canaries.push(directory)
    const [program, sign] = [join(directory, 'run'), join(directory, 'sign')]
    writeFileSync(program, `#!/bin/sh\ntouch ${sign}\n`)
    chmodSync(program, 0o755)
    chmodSync(directory, 0o777)
    return { program, sign }
  }
  const canaries: string[] = []
  afterEach(() => {
    for (const path of canaries.splice(0)) rmSync(path, { recursive: true, force: true })
  })
  const planting = (program: string, plant: string): string =>
    `export CANARY=${program}\n{ ${plant}; } > /dev/null 2>&1`
  const lookAround = (project: string): void => {
    for (const args of [['status'], ['log', '-p'], ['diff'], ['status', '--porcelain=v2']]) asTheUser(project, ...args)
  }

  // Test 15 of the list of attacks: git-third-party-status-during-iteration.
  it.each(tried)('%s: what an agent plants is never run by a git of the user', async (_, plant) => {
    const { project } = place.site
    const { program, sign } = newCanary()
    const before = snapshot(project)
    let looked = false
    await runInBox(place, {
      user,
      script: `${planting(program, plant)}\necho planted; exec sleep 60`,
      onLine: (_line, runner) => {
        lookAround(project)
        looked = true
        runner.kill('SIGKILL')
      },
    })
    expect(looked).toBe(true)
    expect(existsSync(sign)).toBe(false)
    expect(snapshot(project)).toEqual(before)
  })

  it.each(tried)('%s: would be run without the box', (_, plant) => {
    const { project } = place.site
    const { program, sign } = newCanary()
    const env = { PATH: process.env['PATH'] ?? '', HOME: place.site.home, ...trusting }
    execFileSync('bash', ['-c', `${planting(program, plant)}; true`], { cwd: project, env })
    rmSync(sign, { force: true })
    lookAround(project)
    expect(existsSync(sign)).toBe(true)
  })

  it('commits, branches, stashes and packs', async () => {
    const script = `set -e
      export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
      echo 1 > a; git add -A; git commit -q -m one; git branch other; echo 2 > a; git stash -q; git stash pop -q
      git commit -qam two; git commit -q --amend -m second; git reset -q --hard HEAD~1; git merge -q --ff-only ORIG_HEAD
      git tag t; git gc -q 2>/dev/null; git status --porcelain; git log --format=%s`
    const { lines, exitCode, stderr } = await runInBox(place, { user, script })
    expect({ lines, exitCode, stderr }).toEqual({ lines: ['second', 'one', 'first'], exitCode: 0, stderr: '' })
  })

  it('cannot leave its branch, by which a repository is known', async () => {
    const { lines } = await runInBox(place, {
      user,
      script: 'git checkout -q -b x 2>/dev/null; git checkout -q --detach 2>/dev/null; git branch --show-current',
    })
    expect(lines).toEqual(['main'])
  })

  it('leaves the git directory without anything that was put there for the box', async () => {
    const { project } = place.site
    const before = readdirSync(join(project, '.git')).toSorted()
    const { lines } = await runInBox(place, {
      user,
      script: 'ls -d .git/commondir .git/modules; git status --porcelain',
    })
    expect(lines).toEqual(['.git/commondir', '.git/modules'])
    expect(readdirSync(join(project, '.git')).toSorted()).toEqual(before)
    expect(existsSync(join(project, '.git', 'objects', 'info', 'alternates'))).toBe(false)
  })

  // Test 87: box-worktree-other-branch.
  it('of a linked work tree can commit there, and touch nothing of the repository or of the other work trees', async () => {
    place.remove()
    place = newOsPlace()
    const { project: main, places } = place.site
    const [mine, others] = ['mine', 'others'].map((name) => join(place.root, name)) as [string, string]
    place.git('worktree', 'add', '-q', '-b', 'mine', mine)
    place.git('worktree', 'add', '-q', '-b', 'others', others)
    const own = join(main, '.git', 'worktrees', 'mine')
    const site = {
      ...place.site,
      project: mine,
      gitDirs: [own, join(main, '.git')],
      places: { ...places, forbiddenRoot: mine },
    }
    const linked = ownedBy(user, { ...place, site })
    const other = join(main, '.git', 'worktrees', 'others')
    const read = (path: string): string => readFileSync(path, 'utf8')
    const guarded = [
      join(main, '.git', 'config'),
      join(main, '.git', 'HEAD'),
      join(other, 'HEAD'),
      join(own, 'commondir'),
      join(mine, '.git'),
    ]
    const before = guarded.map(read)
    const tries = [
      ...guarded.map((path) => `echo planted > '${path}'; rm -f '${path}'; mv '${path}' x`),
      `echo planted > '${main}/README.md'; echo planted > '${others}/README.md'; echo planted > '${main}/.git/hooks/post-commit'`,
      `echo planted > '${main}/.git/info/attributes'; echo ref: refs/heads/mine > '${other}/HEAD'; echo ../../x > '${own}/commondir'`,
    ]
    const script = `{ ${tries.join('; ')}; } 2>/dev/null; echo 1 > a; git add -A && ${commit} inside && git log --format=%s -1`
    const { lines } = await runInBox(linked, { user, script })
    expect(lines).toEqual(['inside'])
    expect(guarded.map(read)).toEqual(before)
    for (const path of [join(main, 'README.md'), join(others, 'README.md')]) expect(read(path)).toBe('A project.\n')
    expect(
      existsSync(join(main, '.git', 'hooks', 'post-commit')) || existsSync(join(main, '.git', 'info', 'attributes')),
    ).toBe(false)
    expect(asTheUser(others, 'status', '--porcelain')).toBe('')
  })

  it('is not boxed where a part of it is a link that could be turned', async () => {
    const { project } = place.site
    mkdirSync(join(place.root, 'hooks'))
    execFileSync('rm', ['-rf', join(project, '.git', 'hooks')])
    execFileSync('ln', ['-s', join(place.root, 'hooks'), join(project, '.git', 'hooks')])
    writeFileSync(join(place.root, 'x'), '')
    await expect(runInBox(place, { user, script: 'true' })).rejects.toThrow('hooks is not a directory')
  })
})

/** The tests may run as another user than the one whose project it is. */
const trusting = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }

/** What git runs or follows, as it is on the disk. */
function snapshot(project: string): Record<string, string> {
  const read = (name: string): string => {
    const path = join(project, '.git', name)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  return {
    config: read('config'),
    attributes: read('info/attributes'),
    hooks: readdirSync(join(project, '.git', 'hooks'))
      .toSorted()
      .join(' '),
  }
}
