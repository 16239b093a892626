import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { LoopProject } from '../../support/loop-project.ts'
import { until } from '../../support/until.ts'
import { pathWithSrt } from './lab.ts'

/** Works, and while it is held says so and waits. */
const heldScene = `
  if (stage.exists('hold')) { stage.write('held', ''); while (true) await new Promise((done) => setTimeout(done, 50)) }
  await stage.honest()`

describe.skipIf(inject('srt') === null)('a run in the OS sandbox', () => {
  let lab: LoopProject
  beforeEach(() => {
    lab = new LoopProject({ stories: 1, files: { '.gitignore': 'hold\nheld\n' } })
    const directory = join(lab.root, 'srt')
    mkdirSync(directory)
    lab.env['PATH'] = `${pathWithSrt(directory)}:${lab.env['PATH'] ?? ''}`
    lab.play(heldScene)
    lab.write('hold', '')
  })
  afterEach(() => lab.remove())

  const inGit = (name: string): boolean => existsSync(join(lab.project, '.git', name))

  // The second is for who has taken the sandbox away meanwhile.
  it.each(['os', 'none'])('that is killed goes on in %s, and what protected .git is nobody’s fault', async (next) => {
    const running = lab.start(['--isolation', 'os'])
    await until('the agent is at work', () => lab.has('held'), 60_000)
    expect(inGit('commondir')).toBe(true)
    running.kill('SIGKILL')
    await running
    expect(inGit('commondir')).toBe(true)
    for (const name of ['hold', 'held']) lab.git('clean', '-fqx', name)
    const { exitCode, stdout, events } = await lab.run(['--isolation', next])
    expect(exitCode, stdout).toBe(0)
    const found = events.flatMap((event) => (event.kind === 'verdict.given' ? event.violations : []))
    expect(found).toEqual([])
    for (const name of ['commondir', 'modules', 'worktrees', 'config.worktree']) expect(inGit(name)).toBe(false)
  })

  it('that is interrupted leaves .git as it was', async () => {
    const running = lab.start(['--isolation', 'os'])
    await until('the agent is at work', () => lab.has('held'), 60_000)
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    for (const name of ['commondir', 'modules', 'worktrees', 'config.worktree']) expect(inGit(name)).toBe(false)
  })
})
