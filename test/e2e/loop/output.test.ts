import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/model/event.ts'
import { diskPrint } from '../../support/disk-print.ts'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject, ralph } from '../../support/loop-project.ts'
import { until } from '../../support/until.ts'

let lab: LoopProject
afterEach(() => lab.remove())

const parsed = (stdout: string): Record<string, unknown>[] =>
  stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)

/** The crc belongs to the file. */
const withoutCrc = (events: readonly Recorded[]): unknown[] =>
  events.map((event) => Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'crc')))

describe('--output json', () => {
  it('prints exactly the events of the journal, from its first to its last', async () => {
    lab = new LoopProject().play(`stage.say('\\u001b[31mred\\u001b[0m')\nstage.honest()`)
    const { exitCode, stdout, stderr, events } = await lab.run(['--output', 'json'])
    expect(exitCode).toBe(0)
    expect(stderr).toBe('')
    expect(parsed(stdout)).toEqual(withoutCrc(events))
    expect(events[0]?.kind).toBe('run.started')
  })

  it('prints those of a resume too, and with --verbose what the agent does', async () => {
    lab = new LoopProject({ stories: 2 }).play(`
      if (stage.iteration === 2 && stage.first('hangs')) {
        stage.print({ type: 'assistant', parent_tool_use_id: null, message: { content: [{ type: 'text', text: 'hang' }] } })
        await new Promise(() => setInterval(() => undefined, 1000))
      }
      stage.honest()`)
    const first = lab.start(['--output', 'json', '--verbose'])
    let seen = ''
    first.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()))
    await until('the agent has spoken', () => seen.includes('"text":"hang"'))
    first.kill('SIGTERM')
    const { exitCode, stdout } = await first
    expect(exitCode).toBe(130)
    const lines = parsed(stdout)
    const notices = lines.filter(({ seq }) => seq === undefined)
    expect(notices.every(({ kind }) => String(kind).startsWith('agent.'))).toBe(true)
    expect(notices).toContainEqual({ kind: 'agent.text', text: 'did implement US-001' })
    const before = lab.events()
    expect(lines.filter(({ seq }) => seq !== undefined)).toEqual(withoutCrc(before))
    const second = await lab.run(['--output', 'json'])
    expect(second.exitCode).toBe(0)
    expect(parsed(second.stdout)).toEqual(withoutCrc(second.events.slice(before.length)))
  })
})

describe('what a person sees', () => {
  it('begins with the run, and has nothing of the escape sequences that an agent prints', async () => {
    lab = new LoopProject().play(`stage.say('\\u001b]0;title\\u0007\\u001b[2Jgone?\\u202e')\nstage.honest()`)
    const { stdout } = await lab.run(['-n', '1'])
    expect(stdout).toContain(`Run ${lab.runs()[0]}`)
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(stdout).toContain('gone?')
  })

  it('with -q is only trouble and the result', async () => {
    lab = new LoopProject().play(
      `if (stage.mode === 'review' && stage.first('cheat')) stage.write('README.md', 'x')\nstage.honest()`,
    )
    const { exitCode, stdout } = await lab.run(['-q'])
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('Iteration 1')
    expect(stdout).not.toContain('did implement')
    expect(stdout).toContain('review-changed-files')
    expect(stdout).toContain('Complete')
  })

  it('ends and the run goes on: a closed stdout stops nothing', async () => {
    lab = new LoopProject({ stories: 2 }).play('stage.honest()')
    const { stdout } = await execa('sh', ['-c', '"$0" "$@" | head -1', process.execPath, ralph, 'run'], {
      cwd: lab.project,
      env: lab.env,
      extendEnv: false,
    })
    expect(stdout.split('\n')).toHaveLength(1)
    expect(stopOf(lab.events())).toEqual({ reason: 'complete', exitCode: 0 })
  })
})

describe('--dry-run', () => {
  it('says what would be run, with the prompt, and changes nothing', async () => {
    lab = new LoopProject({ stories: 2 }).play(`stage.remember({ ran: true })`)
    lab.write('ralph/prd.md', '# Wanted, and not committed yet\n')
    const temporary = readdirSync(tmpdir()).filter((name) => name.startsWith('ralph-dry'))
    const before = diskPrint(lab.project, lab.state, lab.home)
    const { exitCode, stdout } = await lab.command(['run', '--dry-run', '-n', '3'])
    expect(diskPrint(lab.project, lab.state, lab.home)).toEqual(before)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Isolation: \S/m)
    expect(stdout).toContain('Branch: ralph/feature. Stories: 2, 0 done. Iterations: at least 4 of at most 3; too few')
    expect(stdout).toContain('Iteration 1 would be implement US-001 by claude')
    expect(stdout).toContain('work/US-001.txt exists')
    expect(lab.notes()).toEqual({})
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('ralph-dry'))).toEqual(temporary)
  })

  it('of a review has the review’s prompt; of a list that is done or blocked says so', async () => {
    lab = new LoopProject().play('stage.honest()')
    await lab.run(['-n', '1'])
    const review = await lab.command(['run', '--dry-run'])
    expect(review.stdout).toContain('would be review US-001')
    expect(review.stdout).toContain('+implement')
    await lab.run()
    const done = await lab.command(['run', '--dry-run'])
    expect(done.stdout).toContain('No agent would be started: every story is done, and the checks would be run.')
    expect(lab.runs()).toHaveLength(2)
  })
})

describe('an agent is started', () => {
  const actor = new URL('../../fixtures/agents/actor.mjs', import.meta.url).pathname
  const remember = `
    const { RALPH_RUN_ID, RALPH_ITERATION, RALPH_MAX_ITERATIONS, RALPH_MODE, RALPH_STORY, RALPH_DIR, GH_TOKEN, MY_TOKEN, HARMLESS } = process.env
    stage.remember({ [stage.mode]: { args: stage.args, env: { RALPH_RUN_ID, RALPH_ITERATION, RALPH_MAX_ITERATIONS, RALPH_MODE,
      RALPH_STORY, RALPH_DIR, GH_TOKEN, MY_TOKEN, HARMLESS } } })
    stage.honest()`
  interface Remembered {
    readonly args: string[]
    readonly env: Record<string, string>
  }
  const after = (args: readonly string[], option: string): string | undefined =>
    args.includes(option) ? args[args.indexOf(option) + 1] : undefined

  it('with its model and arguments, the reviewer with another model, and both without the keys of others', async () => {
    lab = new LoopProject({
      files: { '.ralph/settings.json': '{"env": {"pass": ["MY_TOKEN"]}}' },
      verifyCommands: ['env > ../"check-$RALPH_MODE.txt"; test -d work'],
    }).play(remember)
    const secrets = { GH_TOKEN: 'ghp_secret', MY_TOKEN: 'needed', HARMLESS: 'yes' }
    const flags = ['-m', 'opus', '--review-model', 'sonnet', '--agent-arg', '--effort', '--agent-arg', 'high']
    const { exitCode, stdout } = await lab.run([...flags, '-n', '9'], secrets)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('claude (opus), reviewed by claude (sonnet)')
    const { implement, review } = lab.notes() as unknown as Record<'implement' | 'review', Remembered>
    expect(after(implement.args, '--model')).toBe('opus')
    expect(after(review.args, '--model')).toBe('sonnet')
    for (const { args } of [implement, review]) {
      expect(args.slice(-2)).toEqual(['--effort', 'high'])
      expect(after(args, '--setting-sources')).toBe('')
      expect(after(args, '--output-format')).toBe('stream-json')
      expect(args).not.toContain('--max-budget-usd')
    }
    expect(after(implement.args, '--session-id')).not.toBe(after(review.args, '--session-id'))
    const runId = lab.runs()[0]
    const common = { RALPH_RUN_ID: runId, RALPH_MAX_ITERATIONS: '9', RALPH_STORY: 'US-001', RALPH_DIR: 'ralph' }
    const keys = { MY_TOKEN: 'needed', HARMLESS: 'yes' }
    expect(implement.env).toEqual({ ...common, ...keys, RALPH_ITERATION: '1', RALPH_MODE: 'implement' })
    expect(review.env).toEqual({ ...common, ...keys, RALPH_ITERATION: '2', RALPH_MODE: 'review' })
    const check = lab.read('../check-review.txt').split('\n')
    expect(check).toEqual(
      expect.arrayContaining([`RALPH_RUN_ID=${runId}`, 'RALPH_ITERATION=2', 'RALPH_MODE=review', 'RALPH_STORY=US-001']),
    )
    expect(check).toContain('RALPH_DIR=ralph')
    expect(check.join('\n')).not.toContain('ghp_secret')
  })

  it('of any kind: a program of the user’s that reads its prompt and prints text', async () => {
    lab = new LoopProject().play(`
      stage.remember({ [stage.mode]: [stage.prompt.includes('US-001'), stage.args, process.env.RALPH_MODEL] })
      stage.honest()`)
    const settings = { agent: { command: [process.execPath, actor, 'text', '--own'], args: ['--more'] } }
    lab.write('.ralph/settings.json', JSON.stringify(settings))
    const { exitCode, stdout, events } = await lab.run(['-m', 'big', '--agent-arg', 'last'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Agent: custom (big).')
    expect(starts(events)).toHaveLength(2)
    expect(lab.notes()).toEqual({
      implement: [true, ['--own', '--more', 'last'], 'big'],
      review: [true, ['--own', '--more', 'last'], 'big'],
    })
    expect(events.at(-1)).toMatchObject({ totals: { costUsd: null } })
    expect(stdout).toContain('cost not reported')
  })

  it('by a bare call with options, the reviewer another program than the author', async () => {
    lab = new LoopProject().play('stage.honest()')
    const settings = {
      agent: { command: [process.execPath, actor, 'text'] },
      agents: { implement: { name: 'claude', model: 'opus' }, reviewFix: { name: 'claude' } },
      checks: [{ command: 'sleep 30', timeout: '1s' }],
    }
    lab.write('.ralph/settings.json', JSON.stringify(settings))
    const { exitCode } = await lab.command(['-n', '2', '--no-emoji'])
    const events = lab.events()
    expect(eventsOf(events, 'iteration.started').map(({ mode, agent, model }) => [mode, agent, model])).toEqual([
      ['implement', 'claude', 'opus'],
      ['review', 'custom', null],
    ])
    expect(eventsOf(events, 'check.finished').map((check) => [check.command, check.exitCode])).toContainEqual([
      'sleep 30',
      null,
    ])
    expect(exitCode).toBe(1)
  })

  it('in the background with --detach, which prints the id of the run', async () => {
    lab = new LoopProject().play('stage.honest()')
    const { exitCode, stdout } = await lab.command(['run', '--detach'])
    expect(exitCode).toBe(0)
    const [runId = ''] = lab.runs()
    expect(stdout).toContain(runId)
    await until('it has stopped', () => stopOf(lab.events()), 60_000)
    expect(stopOf(lab.events())).toEqual({ reason: 'complete', exitCode: 0 })
    const log = join(lab.runDirectory(runId), 'output.log')
    await until('it has said so', () => readFileSync(log, 'utf8').includes('Complete'))
  })

  it('of any kind: one that works in silence', async () => {
    lab = new LoopProject().play('stage.say = () => undefined\nstage.honest()')
    lab.write('.ralph/settings.json', JSON.stringify({ agent: { command: [process.execPath, actor, 'text'] } }))
    const { exitCode, events } = await lab.run()
    expect(exitCode).toBe(0)
    expect(starts(events)).toHaveLength(2)
  })

  it('of any kind: one that prints the stream of claude', async () => {
    lab = new LoopProject().play('stage.honest()')
    const agent = { command: [process.execPath, actor, 'claude'], format: 'claude' }
    lab.write('.ralph/settings.json', JSON.stringify({ agent }))
    const { exitCode, events } = await lab.run(['--max-cost', '5'])
    expect(exitCode).toBe(0)
    expect(events.at(-1)).toMatchObject({ totals: { costUsd: 0.02 } })
  })
})
