import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { heldCheck, HeldProject } from '../../support/held-project.ts'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { expectSound } from '../../support/sound-run.ts'

let lab: HeldProject
afterEach(() => lab.remove())

const held = `await stage.hold(); stage.honest()`

async function killInAgent(args: readonly string[] = []): Promise<void> {
  const run = lab.start(args)
  await lab.there('agent')
  await lab.kill(run)
  lab.letGo('agent')
}

describe('a run that goes on', () => {
  it('keeps its own options, and says in the journal which others were given', async () => {
    lab = new HeldProject().play(held)
    await killInAgent(['-n', '2', '--check', 'true'])
    const first = await lab.run()
    expect(first.exitCode).toBe(1)
    expect(stopOf(first.events)).toEqual({ reason: 'max_iterations', exitCode: 1 })
    expect(eventsOf(first.events, 'run.resumed')).toMatchObject([{ flags: {} }])
    expect(eventsOf(first.events, 'check.finished').map(({ command }) => command)).toContain('true')
  })

  it('takes more iterations when it is told to', async () => {
    lab = new HeldProject().play(held)
    await killInAgent(['-n', '2'])
    const { exitCode, events } = await lab.run(['-n', '3'])
    expect(exitCode).toBe(0)
    expect(eventsOf(events, 'run.resumed').map(({ flags }) => flags)).toEqual([{ maxIterations: 3 }])
    expectSound(lab, events)
  })

  it('may be killed again and again, in the same iteration too', async () => {
    lab = new HeldProject().play('stage.honest()')
    const begun = 'isolation.chosen'
    for (const kind of [begun, 'agent.finished', begun, 'agent.finished', 'stories.moved'] as const) {
      lab.killAt(kind)
      expect((await lab.start()).signal).toBe('SIGKILL')
    }
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toEqual(['implement US-001', 'review US-001'])
    expectSound(lab, events)
  })

  it('does not take what its checks have made for changes of somebody', async () => {
    lab = new HeldProject({ verifyCommands: ['mkdir -p out; date > "out/$$"; test -d work'] }).play('stage.honest()')
    lab.interruptAt('iteration.finished')
    expect((await lab.start()).exitCode).toBe(130)
    expect(lab.git('status', '--porcelain')).toContain('out/')
    const { exitCode, stderr } = await lab.run()
    expect(exitCode, stderr).toBe(0)
  })

  it('refuses what a person has left uncommitted between two iterations, and changes nothing', async () => {
    lab = new HeldProject().play('stage.honest()')
    lab.interruptAt('iteration.finished')
    expect((await lab.start()).exitCode).toBe(130)
    lab.write('mine.txt', 'mine')
    const before = lab.events()
    const { exitCode, stderr } = await lab.run()
    expect(exitCode).toBe(2)
    expect(stderr).toContain('mine.txt')
    expect(lab.events()).toEqual(before)
    expect((await lab.run(['--allow-dirty'])).exitCode).toBe(0)
  })

  it('tells the reviewer of files that no commit can hold, like a run that was not cut off', async () => {
    lab = new HeldProject().play(`
      if (stage.mode === 'implement') return (stage.honest(), stage.sh('truncate -s 300M hidden.bin'))
      stage.edit((_, one) => Object.assign(one, { reviewStatus: 'approved', passes: true, reviewCount: 1 }))
      stage.git('commit', '-qam', 'approved')
      stage.say('approved')`)
    lab.interruptAt('iteration.finished')
    expect((await lab.start()).exitCode).toBe(130)
    await lab.run(['--allow-dirty'])
    const prompt = readFileSync(join(lab.runDirectory(), 'iterations/0002.prompt.md'), 'utf8')
    expect(prompt).toContain('hidden.bin')
  })

  it('removes the git locks that were left by what was killed', async () => {
    lab = new HeldProject({ verifyCommands: [heldCheck] }).play('stage.honest()')
    lab.holdChecks('review')
    const run = lab.start()
    await lab.there('check')
    await lab.kill(run)
    lab.write('.git/index.lock', '')
    lab.write('.git/HEAD.lock', '')
    lab.freeChecks()
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(lab.has('.git/index.lock') || lab.has('.git/HEAD.lock')).toBe(false)
    expectSound(lab, events)
  })
})

describe('--fresh', () => {
  it('judges what was left unjudged, keeps its legal work, and starts a new run', async () => {
    lab = new HeldProject().play(`
      if (!stage.first('half')) return stage.honest()
      stage.write('half.txt', 'half done')
      stage.write('ralph/prd.md', 'nothing is wanted')
      await stage.hold()`)
    await killInAgent()
    const [first = ''] = lab.runs()
    const { exitCode, events } = await lab.run(['--fresh'])
    expect(exitCode).toBe(0)
    expect(lab.runs()).toHaveLength(2)
    expect(eventsOf(lab.events(first), 'verdict.given')).toMatchObject([{ ok: false }])
    expect(stopOf(lab.events(first))).toEqual({ reason: 'interrupted', exitCode: 130 })
    expect(lab.git('show', 'HEAD:half.txt')).toBe('half done')
    expectSound(lab, events)
    expect((await lab.run()).exitCode).toBe(0)
  })

  it('undoes what the last checks did when they were cut off', async () => {
    lab = new HeldProject({ verifyCommands: [`echo changed > "$TRACKED"; ${heldCheck}`] }).play('stage.honest()')
    lab.env['TRACKED'] = 'README.md'
    lab.holdChecks('end')
    const run = lab.start()
    await lab.there('check')
    await lab.kill(run)
    lab.freeChecks()
    const { exitCode, events, stderr } = await lab.run(['--fresh'])
    expect(exitCode, stderr).toBe(0)
    expect(starts(events)).toEqual([])
    expect(lab.read('README.md')).toBe('a project\n')
  })
})

describe('after a completion', () => {
  it('a run starts anew, runs the checks and completes without an agent', async () => {
    lab = new HeldProject().play('stage.honest()')
    await lab.run()
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(lab.runs()).toHaveLength(2)
    expect(events.map(({ kind }) => kind)).toEqual([
      'run.started',
      'isolation.chosen',
      'completion.started',
      'check.finished',
      'run.stopped',
    ])
  })

  it('checks that fail by then are for a person', async () => {
    lab = new HeldProject().play('stage.honest()')
    await lab.run()
    lab.git('rm', '-qr', 'work')
    lab.git('commit', '-qm', 'by hand')
    const { exitCode, events, stdout } = await lab.run()
    expect(exitCode).toBe(4)
    expect(stopOf(events)).toEqual({ reason: 'waiting', exitCode: 4 })
    expect(stdout).toContain('test -d work')
    expect(starts(events)).toEqual([])
  })
})
