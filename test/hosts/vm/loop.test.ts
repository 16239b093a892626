import { afterEach, describe, expect, it } from 'vitest'
import { machinesWork, needsMachines } from '../../support/fake-sandbox.ts'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { expectSound } from '../../support/sound-run.ts'
import { VmProject } from '../../support/vm-project.ts'

let lab: VmProject
afterEach(() => lab.remove())

const faces = ['sbx', 'docker-sandbox'] as const

describe.skipIf(!machinesWork).each(faces)(`a loop in a fake %s ${needsMachines}`, (face) => {
  it('completes two stories; each agent sees what is there now, and nothing of the host', async () => {
    lab = new VmProject(face, { stories: 2 }).play(`
      const marker = JSON.parse(stage.read('.ralph-active'))
      const settings = stage.args[stage.args.indexOf('--settings') + 1]
      const seen = {
        start: stage.mode + ' ' + stage.story,
        marker: marker.iteration + ' ' + marker.iterationMode,
        list: stage.list().userStories.map((one) => one.reviewStatus).join(),
        home: process.env.HOME,
        state: stage.exists(process.env.LAB + '/state'.concat('/', stage.sh('ls "$LAB/state"').trim(), '/runs')),
        settings: stage.read(settings).includes('disableAllHooks'),
        planted: stage.exists(process.env.HOME + '/planted'),
      }
      stage.remember({ seen: [...(stage.notes.seen ?? []), seen] })
      stage.write(process.env.HOME + '/planted', 'by ' + stage.mode)
      stage.honest()`)
    const { exitCode, stdout, stderr, events } = await lab.run()
    expect(exitCode, `${stdout}${stderr}`).toBe(0)
    expectSound(lab, events)
    expect(eventsOf(events, 'isolation.chosen')).toMatchObject([{ backend: face, boxed: true }])
    const outside = { home: '/home/agent', state: false, settings: true }
    expect(lab.notes()['seen']).toEqual([
      { start: 'implement US-001', marker: '1 implement', list: ',', planted: false, ...outside },
      { start: 'review US-001', marker: '2 review', list: 'needs_review,', planted: false, ...outside },
      { start: 'implement US-002', marker: '3 implement', list: 'approved,', planted: true, ...outside },
      { start: 'review US-002', marker: '4 review', list: 'approved,needs_review', planted: false, ...outside },
    ])
    expect(lab.git('log', '--format=%an', 'main..HEAD')).toContain('Ralph Loop')
    // One for the first author, one for each review, one for the last checks.
    expect(lab.fake.callsOf('create')).toHaveLength(4)
    await lab.nobodyLeft()
    expect(Object.keys(lab.fake.boxes())).toHaveLength(1)
    const { stdout: cleaned } = await lab.command(['clean', '--sandbox'])
    expect(cleaned).toMatch(new RegExp(`^Removed the sandbox ralph-project-\\S+ \\(${face}\\)\\.$`))
    expect(lab.fake.boxes()).toEqual({})
  })

  it('shows the next agent what the referee put back', async () => {
    lab = new VmProject(face).play(`
      stage.remember({ ['prd' + stage.iteration]: stage.read('ralph/prd.md') })
      if (stage.iteration === 1) {
        stage.write('ralph/prd.md', 'nothing is wanted')
        stage.commit('cheat')
        return stage.say('nothing to do')
      }
      stage.honest()`)
    const { exitCode, events } = await lab.run(['--isolation', face])
    expect(exitCode).toBe(0)
    expectSound(lab, events)
    expect(lab.notes()).toMatchObject({ prd1: '# What is wanted\n', prd2: '# What is wanted\n' })
  })

  it('vm-daemon-survives-to-judge: a daemon with a wiped environment is gone before anybody judges', async () => {
    lab = new VmProject(face, { verifyCommands: ['test -d work && ! pgrep -f "[d]aemon-US"'] }).play(`
      if (stage.mode === 'implement') {
        stage.write(process.env.HOME + '/daemon', 'while :; do sleep 0.05; touch "$1/by-a-daemon"; done')
        stage.sh('env -i PATH="$PATH" setsid bash "$HOME/daemon" "$PWD" daemon-' + stage.story + ' > /dev/null 2>&1 &')
        while (!stage.exists('by-a-daemon')) await new Promise((resolve) => setTimeout(resolve, 10))
        stage.remove('by-a-daemon')
      }
      stage.honest()`)
    const { exitCode, stdout } = await lab.run()
    expect(exitCode, stdout).toBe(0)
    lab.git('status')
    expect(lab.alive()).toEqual([])
  })

  it('goes on after kill -9 of the runner, although its agent went on in the sandbox', async () => {
    lab = new VmProject(face).play(`
      if (!stage.first('half')) return stage.honest()
      stage.write('half.txt', 'half done')
      stage.approveAll()
      await stage.hold()`)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    await lab.there('agent')
    const { exitCode, stdout, events } = await lab.run()
    expect(exitCode, stdout).toBe(0)
    expectSound(lab, events)
    expect(starts(events)).toEqual(['implement US-001', 'implement US-001', 'review US-001'])
    expect(lab.git('show', 'HEAD:half.txt')).toBe('half done')
    await lab.nobodyLeft()
  })

  it('is ended by Ctrl+C with everything in the sandbox, and goes on later', async () => {
    lab = new VmProject(face).play(`
      if (!stage.first('half')) return stage.honest()
      stage.write('half.txt', 'half done')
      await stage.hold()`)
    const run = lab.start()
    await lab.there('agent')
    run.kill('SIGINT')
    const { exitCode, stdout, stderr } = await run
    expect(exitCode, `${stdout}${stderr}`).toBe(130)
    await lab.nobodyLeft()
    expect(stopOf(lab.events())).toMatchObject({ reason: 'interrupted' })
    expect(lab.git('show', 'HEAD:half.txt')).toBe('half done')
    expect((await lab.run()).exitCode).toBe(0)
  })
})

it.skipIf(!machinesWork)(
  `what a killed run left in a sandbox ends, although the next one has none ${needsMachines}`,
  async () => {
    lab = new VmProject('sbx').play(`
    if (!stage.first('half')) return stage.honest()
    await stage.hold()`)
    const run = lab.start()
    await lab.there('agent')
    await lab.kill(run)
    // Here is a claude, too.
    const path = { PATH: `${lab.bin}:${lab.env['PATH'] ?? ''}` }
    const { exitCode, stdout, stderr, events } = await lab.run(['--isolation', 'none'], path)
    expect(exitCode, `${stdout}${stderr}`).toBe(0)
    expect(eventsOf(events, 'isolation.chosen').map(({ backend }) => backend)).toEqual(['sbx', 'none'])
    await lab.nobodyLeft()
  },
)
