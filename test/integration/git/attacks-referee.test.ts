import { appendFileSync, cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, isThere, Lab, type Begun } from '../../support/repositories.ts'
import { refereeCycle } from '../../support/referee-cycle.ts'

/** Without a box an agent can write into the state directory: what it plants in the referee's own repository does not run. */
let lab: Lab
let begun: Begun
let repository: string
beforeEach(async () => {
  lab = new Lab()
  repository = join(lab.stateDir, 'referee.git')
  lab.start()
  begun = await lab.begin()
})
afterEach(() => lab.remove())

const inRepository = (name: string): string => join(repository, name)
const monitor = (): string => `[core]\n\tfsmonitor = "'${lab.trap()}'"\n`

/** It works as long as nobody looks. */
function expectTrap(): void {
  try {
    lab.refereeGit('status')
  } catch (error) {
    if (!(error instanceof Error && 'status' in error)) throw error
  }
  expect(lab.sprang()).toBe(true)
}

async function expectSeen(line: string): Promise<void> {
  lab.write('README.md', 'changed\n')
  const { gitDirectory } = await refereeCycle(lab, begun)
  expect(gitDirectory.filter(({ goodFaith }) => !goodFaith).map((finding) => finding.line)).toEqual([line])
}

describe('what the referee’s git would run', () => {
  it('a monitor in its configuration', async () => {
    const before = readFileSync(inRepository('config'))
    appendFileSync(inRepository('config'), monitor())
    expectTrap()
    await expectSeen("the referee's own config was changed")
    expect(readFileSync(inRepository('config'))).toEqual(before)
  })

  it('a configuration that is a link', async () => {
    cpSync(inRepository('config'), join(lab.root, 'evil'))
    appendFileSync(join(lab.root, 'evil'), monitor())
    rmSync(inRepository('config'))
    symlinkSync(join(lab.root, 'evil'), inRepository('config'))
    expectTrap()
    await expectSeen("the referee's own config was changed")
    expect(readFileSync(join(lab.root, 'evil'), 'utf8')).toContain('fsmonitor = "\'')
  })

  it('another common directory', async () => {
    const evil = join(lab.root, 'evil')
    cpSync(repository, evil, { recursive: true })
    appendFileSync(join(evil, 'config'), monitor())
    writeFileSync(inRepository('commondir'), `${evil}\n`)
    expectTrap()
    await expectSeen("the referee's own commondir was added")
    expect(isThere(inRepository('commondir'))).toBe(false)
  })

  it('no configuration at all', async () => {
    renameSync(inRepository('config'), inRepository('config.old'))
    await expectSeen("the referee's own config was removed")
  })
})

it('is put back also where nothing else can be', async () => {
  const before = readFileSync(inRepository('config'))
  appendFileSync(inRepository('config'), monitor())
  rmSync(join(lab.project, '.git'), { recursive: true })
  expect(failure(await begun.referee.observe({ iteration: 1, base: begun.base })).reason).toBe('unsafe-git-directory')
  expect(readFileSync(inRepository('config'))).toEqual(before)
})

it('what hides files from it', async () => {
  appendFileSync(inRepository('info/exclude'), '*.secret\n')
  lab.write('a.secret', '')
  const view = await begun.look()
  expect(view.untracked).toEqual(['a.secret'])
  expect(view.gitDirectory.map(({ line }) => line)).toEqual(["the referee's own info/exclude was changed"])
})

it('is taken out also when another process goes on', async () => {
  const evil = join(lab.root, 'evil')
  cpSync(repository, evil, { recursive: true })
  appendFileSync(join(evil, 'config'), monitor())
  writeFileSync(inRepository('commondir'), `${evil}\n`)
  expectTrap()
  const { view } = await lab.begin()
  expect(lab.sprang()).toBe(false)
  expect(view.gitDirectory).toEqual([])
})
