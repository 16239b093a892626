import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { clean, cleanWith } from '../../../src/cli/clean.ts'
import type { Input } from '../../../src/cli/command.ts'
import type { Backend, Site } from '../../../src/isolation/isolation.ts'
import { none } from '../../../src/isolation/none.ts'
import { recordIn } from '../../../src/isolation/os/stand-ins.ts'
import { describeFailure, exitCodeFor } from '../../../src/model/describe-failure.ts'
import { thisHost } from '../../../src/store/host.ts'
import { acquireLock } from '../../../src/store/lock.ts'
import { newOwner } from '../../../src/store/lock-owner.ts'
import { iterationEvents, runStarted, runStopped } from '../../support/events.ts'
import { killProcessesWith, newMark, processesWith, program, testEnv } from '../../support/processes.ts'
import { writeLock } from '../../support/stale-lock.ts'
import { until } from '../../support/until.ts'
import { valueOf, watchedProject, type Call, type WatchedProject } from '../../support/watched-project.ts'

const host = thisHost()
const iterationStarted = iterationEvents(1).slice(0, 1)

let project: WatchedProject
let root: string
beforeEach(() => {
  project = watchedProject()
  root = dirname(project.state.directory)
})

async function failureOf({ end, ...call }: Call) {
  const ended = await end
  if (ended.ok) throw new Error(`it ended with ${ended.value}`)
  return { ...call, code: exitCodeFor(ended.error), ...describeFailure(ended.error) }
}

const isThere = (): boolean => existsSync(project.state.directory)

describe('ralph clean', () => {
  it('without an option says what each would remove, and removes nothing', async () => {
    project.begin(runStarted, runStopped)
    const failure = await failureOf(project.call(clean))
    expect(failure).toMatchObject({
      code: 2,
      lines: [
        '--sandbox  would remove the sandboxes of this project',
        `--state    would remove its journals, logs and snapshots: ${project.state.directory}, 1 run`,
      ],
      what: 'Nothing was removed: no option says what.',
    })
    expect(isThere()).toBe(true)
  })

  it('has no worktrees to remove yet', async () => {
    const failure = await failureOf(project.call(clean, { worktrees: true, state: true }))
    expect(failure).toMatchObject({ code: 2, what: '"ralph clean --worktrees" is not built yet in this version.' })
    expect(isThere()).toBe(true)
  })

  it('refuses inside of a loop', async () => {
    project.env['RALPH_RUN_ID'] = 'x'
    expect(await failureOf(project.call(clean, { state: true, force: true }))).toMatchObject({ code: 2 })
    expect(isThere()).toBe(true)
  })
})

describe('ralph clean --state', () => {
  it('removes the state of this project, and of no other', async () => {
    project.begin(runStarted, runStopped)
    mkdirSync(join(root, 'other-0123456789abcdef'))
    const call = project.call(clean, { state: true })
    expect(await call.end).toEqual(ok(0))
    expect(call.lines).toEqual([`Removed the state of this project: ${project.state.directory}`])
    expect(readdirSync(root)).toEqual(['other-0123456789abcdef'])
  })

  it('has nothing to do where there is none, and makes none', async () => {
    rmSync(root, { recursive: true })
    const call = project.call(clean, { state: true })
    expect(await call.end).toEqual(ok(0))
    expect(call.lines).toEqual(['There is no state of this project.'])
    expect(existsSync(root)).toBe(false)
  })

  it.each([false, true])('refuses while a run is on (--force: %s)', async (force) => {
    const lock = valueOf(acquireLock(project.state.lock, host))
    project.begin(runStarted)
    expect(await failureOf(project.call(clean, { state: true, sandbox: true, force }))).toMatchObject({ code: 3 })
    expect(lock.stillOurs()).toBe(true)
    expect(readdirSync(project.state.runs)).toHaveLength(1)
  })

  it('refuses while an iteration is not judged, unless it is forced', async () => {
    project.begin(runStarted, ...iterationStarted)
    const failure = await failureOf(project.call(clean, { state: true }))
    expect(failure).toMatchObject({ code: 3, fix: expect.stringContaining('--force') as string })
    expect(readdirSync(project.state.runs)).toHaveLength(1)
    expect(existsSync(project.state.lock)).toBe(false)
    expect(await project.call(clean, { state: true, force: true }).end).toEqual(ok(0))
    expect(readdirSync(root)).toEqual([])
  })

  it('removes what a runner left that was killed between two iterations', async () => {
    project.begin(runStarted)
    writeLock(project.state.lock, { ...newOwner(host), startTime: '1' })
    expect(await project.call(clean, { state: true }).end).toEqual(ok(0))
    expect(readdirSync(root)).toEqual([])
  })

  it('takes away what a killed run in the OS sandbox left in the git directory, since nobody would know of it later', async () => {
    project.begin(runStarted, runStopped)
    const left = join(root, 'commondir')
    writeFileSync(left, '.\n')
    mkdirSync(dirname(project.state.given), { recursive: true })
    writeFileSync(recordIn(project.state.given), JSON.stringify([{ path: left, content: '.\n' }]))
    expect(await project.call(clean, { state: true }).end).toEqual(ok(0))
    expect([isThere(), existsSync(left)]).toEqual([false, false])
  })

  it('ends what that run left running, since nobody would find it later', async () => {
    const mark = newMark()
    const { runId } = project.begin(runStarted, ...iterationStarted)
    const env = { ...testEnv, RALPH_RUN_ID: runId }
    spawn(program('sleeper'), [mark, project.root, 'left'], { env, detached: true, stdio: 'ignore' }).unref()
    try {
      await until('it runs', () => existsSync(join(project.root, 'left')))
      expect(await project.call(clean, { state: true, force: true }).end).toEqual(ok(0))
      expect(processesWith(mark)).toEqual([])
    } finally {
      killProcessesWith(mark)
    }
  })

  it('removes a journal that nobody can read only if it is forced', async () => {
    const { paths } = project.begin(runStarted, runStopped)
    writeFileSync(paths.journal, 'rubbish\nrubbish\nrubbish\n')
    const failure = await failureOf(project.call(clean, { state: true }))
    expect(failure.what).toContain(paths.journal)
    expect(isThere()).toBe(true)
    expect(await project.call(clean, { state: true, force: true }).end).toEqual(ok(0))
    expect(isThere()).toBe(false)
  })

  it('removes nothing that a link in it, or in its place, leads to', async () => {
    const elsewhere = join(dirname(root), 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'precious'), '')
    symlinkSync(elsewhere, join(project.state.directory, 'link'))
    expect(await project.call(clean, { state: true }).end).toEqual(ok(0))
    renameSync(elsewhere, `${elsewhere}-2`)
    symlinkSync(`${elsewhere}-2`, project.state.directory)
    const failure = await failureOf(project.call(clean, { state: true }))
    expect(failure.what).toContain('is a link')
    expect(readdirSync(`${elsewhere}-2`)).toEqual(['precious'])
  })
})

describe('ralph clean --sandbox', () => {
  const backend = (remove: NonNullable<Backend['remove']>): Backend => ({ ...none, name: 'sbx', remove })
  const call = (boxes: readonly Backend[]): Call =>
    project.call((input: Input) => cleanWith(boxes, input), { sandbox: true })

  it('has every kind of box remove those of this project, and names them', async () => {
    const sites: Site[] = []
    const boxes = [
      backend((site) => {
        sites.push(site)
        return Promise.resolve(ok(['ralph-project-1', 'ralph-project-2']))
      }),
      none,
    ]
    const { lines, end } = call(boxes)
    expect(await end).toEqual(ok(0))
    expect(lines).toEqual(['Removed the sandbox ralph-project-1 (sbx).', 'Removed the sandbox ralph-project-2 (sbx).'])
    expect(sites).toMatchObject([{ project: project.root, state: root }])
    expect(isThere()).toBe(true)
  })

  it('says so where there is none', async () => {
    const { lines, end } = call([backend(() => Promise.resolve(ok([]))), none])
    expect(await end).toEqual(ok(0))
    expect(lines).toEqual(['There is no sandbox of this project. The box "os" and direct mode keep none.'])
  })

  it('tells what went wrong, and leaves the state', async () => {
    const trouble = { reason: 'isolation-unavailable', why: 'It hangs.', fix: 'Wait.' } as const
    const boxes = [backend(() => Promise.resolve(err(trouble)))]
    const both = project.call((input: Input) => cleanWith(boxes, input), { sandbox: true, state: true })
    expect(await failureOf(both)).toMatchObject({ code: 3, fix: 'Wait.' })
    expect(isThere()).toBe(true)
  })
})
