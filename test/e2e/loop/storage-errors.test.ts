import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { diskPrint } from '../../support/disk-print.ts'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject } from '../../support/loop-project.ts'

const isRoot = process.getuid?.() === 0
const needsRoot = isRoot ? '' : ' (skipped: mounting needs root)'

let lab: LoopProject
const mounts: string[] = []
afterEach(() => {
  for (const mount of mounts.splice(0)) spawnSync('umount', ['--lazy', mount])
  lab.remove()
})

/** A small disk at this place; what was there is on it. */
function smallDisk(place: string, size: string): void {
  const aside = `${place}.aside`
  if (existsSync(place)) renameSync(place, aside)
  mkdirSync(place)
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'ralph-test', place]).status).toBe(0)
  mounts.push(place)
  if (existsSync(aside)) expect(spawnSync('cp', ['-a', `${aside}/.`, place]).status).toBe(0)
}

const remount = (place: string, how: 'ro' | 'rw'): void =>
  expect(spawnSync('mount', ['-o', `remount,${how}`, place]).status).toBe(0)

/** Words of a scene or a check: nothing more goes onto this disk. */
const fill = (place: string): string => `dd if=/dev/zero of='${place}/ballast' bs=4k 2>/dev/null; true`

const journal = (): string => join(lab.runDirectory(), 'journal.ndjson')

/** A run that was interrupted after its first iteration, so that the next start resumes it. */
async function interrupted(): Promise<void> {
  lab = new LoopProject({ stories: 2 }).play('stage.honest()')
  await lab.run(['-n', '1'])
  const lines = readFileSync(journal(), 'utf8').split('\n')
  // Without its last record it is a run that was killed.
  truncateSync(journal(), Buffer.byteLength(`${lines.slice(0, -2).join('\n')}\n`))
}

describe('a journal', () => {
  it('damaged in the middle stops the run with file and line, and nothing is overwritten', async () => {
    await interrupted()
    const lines = readFileSync(journal(), 'utf8').split('\n')
    lines[3] = (lines[3] ?? '').replace('"outcome":"succeeded"', '"outcome":"failed"')
    writeFileSync(journal(), lines.join('\n'))
    const before = diskPrint(lab.project, lab.state)
    const { exitCode, stdout, stderr } = await lab.command(['run'])
    expect(exitCode).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toContain(`${journal()}, line 4`)
    expect(stderr).toContain('Nothing was overwritten')
    expect(diskPrint(lab.project, lab.state)).toEqual(before)
  })

  it('that is damaged can be left behind as its message says', async () => {
    await interrupted()
    const [damaged = ''] = lab.runs()
    const lines = readFileSync(journal(), 'utf8').split('\n')
    writeFileSync(journal(), ['{"seq":1', ...lines.slice(1)].join('\n'))
    const damagedText = readFileSync(journal(), 'utf8')
    const { exitCode, events } = await lab.run(['--fresh'])
    expect(exitCode).toBe(0)
    expect(stopOf(events)).toMatchObject({ reason: 'complete' })
    expect(readFileSync(join(lab.runDirectory(damaged), 'journal.ndjson'), 'utf8')).toBe(damagedText)
  })

  it('with a torn last line is resumed, and the line is written over', async () => {
    await interrupted()
    appendFileSync(journal(), '{"seq":99,"at":"2026-11')
    const { exitCode, events } = await lab.run(['-n', '4'])
    expect(lab.runs()).toHaveLength(1)
    expect(exitCode).toBe(0)
    expect(starts(events)).toHaveLength(4)
    expect(eventsOf(events, 'run.resumed')).toHaveLength(1)
  })

  it('that is no file stops the run, and nothing is destroyed', async () => {
    await interrupted()
    rmSync(journal())
    mkdirSync(journal())
    const before = diskPrint(lab.project, lab.state)
    const { exitCode, stderr } = await lab.command(['run'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain(journal())
    expect(diskPrint(lab.project, lab.state)).toEqual(before)
  })
})

describe.runIf(isRoot)(`a full disk${needsRoot}`, () => {
  const expectFull = async (running: ReturnType<LoopProject['command']>): Promise<void> => {
    const { exitCode, stderr } = await running
    expect(stderr).toContain('ENOSPC')
    expect(stderr).toContain('Free some space')
    expect(exitCode).toBe(3)
  }

  it('under the state directory stops the run wherever it fills; with space it goes on and completes', async () => {
    lab = new LoopProject({ stories: 2, mask: false })
    smallDisk(lab.state, '12m')
    lab.play(`
      if (stage.iteration === 2 && stage.first('filled')) stage.sh(${JSON.stringify(fill(lab.state))})
      stage.honest()`)
    await expectFull(lab.start())
    // As long as it is full nothing begins, and nothing is lost.
    await expectFull(lab.start())
    rmSync(join(lab.state, 'ballast'))
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(stopOf(events)).toMatchObject({ reason: 'complete' })
    for (const run of lab.runs()) expect(lab.events(run).length).toBeGreaterThan(0)
  })

  it('that a check fills', async () => {
    lab = new LoopProject({ stories: 2, mask: false, verifyCommands: ['test -z "$FILL" || sh "$FILL"'] }).play(
      'stage.honest()',
    )
    smallDisk(lab.state, '12m')
    writeFileSync(join(lab.root, 'fill.sh'), fill(lab.state))
    await expectFull(lab.start([], { FILL: join(lab.root, 'fill.sh') }))
    rmSync(join(lab.state, 'ballast'))
    expect(await lab.run()).toMatchObject({ exitCode: 0 })
  })

  it('under the project stops the run, and leaves the list as it was', async () => {
    lab = new LoopProject({ stories: 2, files: { '.gitignore': 'tmp/\n' } })
    smallDisk(lab.project, '8m')
    const ignored = join(lab.project, 'tmp')
    lab.play(`
      if (stage.iteration === 2) {
        stage.sh(${JSON.stringify(`mkdir -p '${ignored}'; ${fill(ignored)}`)})
        stage.say('The disk is full.')
      } else stage.honest()`)
    await expectFull(lab.start())
    expect(lab.story('US-001')).toMatchObject({ reviewStatus: 'needs_review', passes: false })
    rmSync(ignored, { recursive: true })
    lab.play('stage.honest()')
    const { exitCode } = await lab.run()
    expect(exitCode).toBe(0)
    expect(lab.git('fsck', '--no-dangling').trim()).toBe('')
  })

  it('before the first iteration changes nothing that matters', async () => {
    lab = new LoopProject().play('stage.honest()')
    smallDisk(lab.state, '64k')
    spawnSync('sh', ['-c', fill(lab.state)])
    await expectFull(lab.start())
    rmSync(join(lab.state, 'ballast'))
    spawnSync('mount', ['-o', 'remount,size=20m', lab.state])
    expect(await lab.run()).toMatchObject({ exitCode: 0 })
  })
})

describe('a directory that cannot be written', () => {
  it('as state directory is exit 3 and names it', async () => {
    lab = new LoopProject().play('stage.honest()')
    const before = diskPrint(lab.project)
    const { exitCode, stderr } = await lab.command(['run'], { RALPH_STATE_DIR: '/proc/ralph' })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('/proc/ralph')
    expect(diskPrint(lab.project)).toEqual(before)
  })

  it.runIf(isRoot)(`as state directory on a read-only disk${needsRoot}`, async () => {
    lab = new LoopProject({ stories: 1 }).play('stage.honest()')
    smallDisk(lab.state, '20m')
    expect(await lab.run(['-n', '1'])).toMatchObject({ exitCode: 1 })
    remount(lab.state, 'ro')
    const before = diskPrint(lab.project, lab.state)
    const { exitCode, stderr } = await lab.command(['run'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('EROFS')
    expect(stderr).toContain('RALPH_STATE_DIR')
    expect(diskPrint(lab.project, lab.state)).toEqual(before)
    remount(lab.state, 'rw')
    expect(await lab.run()).toMatchObject({ exitCode: 0 })
  })

  it.runIf(isRoot)(`as project, before the first iteration and between two runs${needsRoot}`, async () => {
    lab = new LoopProject({ stories: 1 }).play('stage.honest()')
    smallDisk(lab.project, '20m')
    for (const _ of ['before it has a branch', 'on its branch']) {
      remount(lab.project, 'ro')
      const before = diskPrint(lab.project)
      const { exitCode, stderr } = await lab.command(['run'])
      expect(stderr).toMatch(/EROFS|[Rr]ead-only/)
      expect(exitCode).toBe(3)
      expect(diskPrint(lab.project)).toEqual(before)
      remount(lab.project, 'rw')
      expect(await lab.run(['-n', '1', '--fresh'])).toMatchObject({ exitCode: expect.any(Number) })
    }
    expect(lab.story('US-001').passes).toBe(true)
  })
})
