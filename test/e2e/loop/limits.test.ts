import { rmSync, symlinkSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventsOf, starts, stopOf } from '../../support/loop-events.ts'
import { LoopProject } from '../../support/loop-project.ts'

let lab: LoopProject
afterEach(() => lab.remove())

const outcomes = (events: Parameters<typeof starts>[0]): string[] =>
  eventsOf(events, 'agent.finished').map(({ outcome }) => outcome)

/** Words of a scene: ends as claude does when the API turned it away. */
const turnedAway = (result: string): string => `
  stage.print({ type: 'result', subtype: 'success', is_error: true, total_cost_usd: 0, usage: {}, ...${result} })
  process.exit(1)`

const forEver = 'await new Promise(() => setInterval(() => undefined, 1000))'

describe('a run stops at', () => {
  it('its last iteration', async () => {
    lab = new LoopProject({ stories: 2 }).play('stage.honest()')
    const { exitCode, stdout, events } = await lab.run(['-n', '1'])
    expect(stdout).toContain('Iterations: at least 4 of at most 1; too few: give -n 4 or more.')
    expect(starts(events)).toHaveLength(1)
    expect(stopOf(events)).toEqual({ reason: 'max_iterations', exitCode: 1 })
    expect(exitCode).toBe(1)
    // The next run goes on with the list as it is.
    const next = await lab.run(['-n', '1'])
    expect(starts(next.events)).toEqual(['review US-001'])
    // And its reviewer sees what the run before changed.
    expect(await lab.command(['log', '--prompt', '1'])).toMatchObject({ stdout: expect.stringContaining('+implement') })
  })

  it('its budget, of which the agent is told what is left', async () => {
    lab = new LoopProject({ stories: 2 }).play(`
      stage.remember({ ['budget' + stage.iteration]: stage.args[stage.args.indexOf('--max-budget-usd') + 1] })
      stage.honest()`)
    const { exitCode, events } = await lab.run(['--max-cost', '0.9'], { ACTOR_COST: '0.5' })
    expect(starts(events)).toHaveLength(2)
    expect(stopOf(events)).toEqual({ reason: 'budget_exhausted', exitCode: 1 })
    expect(exitCode).toBe(1)
    expect(lab.notes()).toEqual({ budget1: '0.9', budget2: '0.4' })
    expect(events.at(-1)).toMatchObject({ totals: { costUsd: 1, iterations: 2 } })
  })

  it('its tokens', async () => {
    lab = new LoopProject({ stories: 2 }).play('stage.honest()')
    const { exitCode, events } = await lab.run(['--max-tokens', '16'])
    expect(starts(events)).toHaveLength(2)
    expect(stopOf(events)).toEqual({ reason: 'budget_exhausted', exitCode: 1 })
    expect(exitCode).toBe(1)
  })

  it('its time, also in the middle of an iteration, which is judged all the same', async () => {
    lab = new LoopProject().play(`
      stage.write('README.md', 'half done')
      stage.edit((list) => { list.project = 'Another' })
      ${forEver}`)
    const { exitCode, events } = await lab.run(['--max-time', '4s'])
    expect(outcomes(events)).toEqual(['timeout'])
    expect(stopOf(events)).toEqual({ reason: 'timeout', exitCode: 1 })
    expect(exitCode).toBe(1)
    expect(lab.list().project).toBe('A project')
    expect(lab.git('show', 'HEAD:README.md')).toBe('half done')
  })

  it('its time while it waits, because waits count', async () => {
    lab = new LoopProject().play(turnedAway(`{ api_error: 'usage_limit_reached', result: 'usage limit reached' }`))
    const { exitCode, events } = await lab.run(['--max-time', '3s'])
    expect(outcomes(events)).toEqual(['usage-limit'])
    expect(eventsOf(events, 'wait.started')).toHaveLength(1)
    expect(stopOf(events)).toEqual({ reason: 'timeout', exitCode: 1 })
    expect(exitCode).toBe(1)
  })

  it('idle iterations in a row', async () => {
    lab = new LoopProject().play(`stage.say('I looked around.')`)
    const { exitCode, stdout, events } = await lab.run(['--idle-threshold', '1'])
    expect(starts(events)).toHaveLength(1)
    expect(stopOf(events)).toEqual({ reason: 'idle', exitCode: 1 })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('What the agent said is in iterations/ beside the journal')
  })

  it('errors in a row, and says the last one', async () => {
    lab = new LoopProject().play(`stage.fail('The context is too long.')`)
    const { exitCode, stdout, events } = await lab.run(['--max-consecutive-errors', '2'])
    expect(outcomes(events)).toEqual(['failed', 'failed'])
    expect(stopOf(events)).toEqual({ reason: 'too_many_errors', exitCode: 1 })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('The context is too long.')
  })

  it('three agent starts for each iteration, where none comes to anything', async () => {
    lab = new LoopProject().play('')
    const { exitCode, stdout, events } = await lab.run(['-n', '1'])
    expect(outcomes(events)).toEqual(['empty', 'empty', 'empty'])
    expect(new Set(eventsOf(events, 'iteration.started').map(({ sessionId }) => sessionId)).size).toBe(3)
    expect(stopOf(events)).toEqual({ reason: 'too_many_errors', exitCode: 1 })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('gave an empty answer')
    expect(stdout).toContain('the agent was started 3 times for at most 1 iterations')
  })

  it('a fourth empty answer in a row, as one error', async () => {
    lab = new LoopProject().play('')
    const { events } = await lab.run(['-n', '2', '--max-consecutive-errors', '1'])
    expect(outcomes(events)).toEqual(['empty', 'empty', 'empty', 'empty'])
    expect(stopOf(events)).toMatchObject({ reason: 'too_many_errors' })
  })
})

describe('one that goes wrong once does not end a run:', () => {
  it('a failure after a legal move begins a new count', async () => {
    lab = new LoopProject().play(`if (stage.first(stage.mode)) stage.fail('Once.')
      else stage.honest()`)
    const { exitCode, events } = await lab.run(['--max-consecutive-errors', '2'])
    expect(outcomes(events)).toEqual(['failed', 'succeeded', 'failed', 'succeeded'])
    expect(exitCode).toBe(0)
  })

  it('an agent that hangs is ended, and told about it in the next prompt', async () => {
    lab = new LoopProject().play(`
      if (stage.first('hung')) { ${forEver} }
      stage.remember({ told: stage.prompt.includes('took longer than an iteration may') || stage.notes.told })
      stage.honest()`)
    const { exitCode, events } = await lab.run(['--iteration-timeout', '3s'])
    expect(outcomes(events)).toEqual(['timeout', 'succeeded', 'succeeded'])
    expect(exitCode).toBe(0)
    expect(lab.notes()['told']).toBe(true)
  })

  it('an agent that says nothing is ended, but not while a tool of its works', async () => {
    lab = new LoopProject().play(`
      const tool = (type, more) => stage.print({ type, parent_tool_use_id: null, message: { content: [more] } })
      if (stage.mode === 'implement' && stage.first('silent')) { ${forEver} }
      if (stage.mode === 'review') {
        tool('assistant', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } })
        await new Promise((resolve) => setTimeout(resolve, 3500))
        tool('user', { type: 'tool_result', tool_use_id: 't1', content: 'made' })
      }
      stage.honest()`)
    const { exitCode, events } = await lab.run(['--silence-timeout', '3s'])
    expect(outcomes(events)).toEqual(['silent', 'succeeded', 'succeeded'])
    expect(exitCode).toBe(0)
  })

  it('a usage limit is waited for, and the iteration is not used up', async () => {
    lab = new LoopProject().play(`
      if (stage.first('limited')) {
        stage.print({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: Math.floor(Date.now() / 1000) } })
        ${turnedAway(`{ api_error_status: 429, result: 'You have hit your limit' }`)}
      }
      stage.honest()`)
    const { exitCode, stdout, events } = await lab.run(['-n', '2'])
    expect(outcomes(events)).toEqual(['usage-limit', 'succeeded', 'succeeded'])
    expect(eventsOf(events, 'iteration.started').map(({ iteration }) => iteration)).toEqual([1, 1, 2])
    expect(eventsOf(events, 'wait.ended')).toMatchObject([{ reason: 'usage-limit' }])
    expect(stdout).toMatch(/wait/i)
    expect(exitCode).toBe(0)
  })

  it('an overloaded service is asked again after a while', async () => {
    lab = new LoopProject().play(`
      if (stage.first('busy')) { ${turnedAway(`{ api_error_status: 529, result: 'API Error: 529 Overloaded' }`)} }
      stage.honest()`)
    const { exitCode, events } = await lab.run(['-n', '2'])
    expect(outcomes(events)).toEqual(['overloaded', 'succeeded', 'succeeded'])
    expect(exitCode).toBe(0)
  })
})

describe('the environment does not allow it:', () => {
  it('a usage limit that may not be waited for', async () => {
    lab = new LoopProject().play(
      turnedAway(`{ api_error: 'usage_limit_reached', result: "You've hit your 5-hour limit · resets 2:27am (UTC)" }`),
    )
    const { exitCode, stdout, events } = await lab.run(['--max-wait', '0'])
    expect(starts(events)).toHaveLength(1)
    expect(stopOf(events)).toEqual({ reason: 'usage_limit', exitCode: 3 })
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/resets at \d{4}-/)
  })

  it('an agent that is not logged in, with what helps', async () => {
    lab = new LoopProject().play(turnedAway(`{ api_error_status: 401, result: 'Not logged in · Please run /login' }`))
    const { exitCode, stdout, events } = await lab.run()
    expect(starts(events)).toHaveLength(1)
    expect(stopOf(events)).toEqual({ reason: 'not_logged_in', exitCode: 3 })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('Please run /login')
    lab.play('stage.honest()')
    expect(await lab.run()).toMatchObject({ exitCode: 0 })
  })

  it('an agent that is not installed, before anything changes', async () => {
    lab = new LoopProject().play('stage.honest()')
    rmSync(join(lab.bin, 'claude'))
    onlyThese('git', 'sh', 'bash')
    const { exitCode, stderr, events } = await lab.run([], { PATH: lab.bin })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('"claude" was not found')
    expect(stderr).toContain('npm install -g @anthropic-ai/claude-code')
    expect(events).toEqual([])
    expect(lab.git('branch', '--show-current').trim()).toBe('main')
  })

  it('an agent that goes away during the run', async () => {
    lab = new LoopProject({ stories: 2 }).play(`
      stage.honest()
      stage.remove(process.env.PATH.split(':')[0] + '/claude')`)
    const { exitCode, stdout, events } = await lab.run()
    expect(outcomes(events)).toEqual(['succeeded', 'unavailable'])
    expect(stopOf(events)).toEqual({ reason: 'agent_unavailable', exitCode: 3 })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('cannot be started')
  })

  it.runIf(process.getuid?.() === 0)('claude as root outside of a sandbox', async () => {
    lab = new LoopProject().play('stage.honest()')
    const { exitCode, stderr, events } = await lab.run([], { IS_SANDBOX: '' })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('IS_SANDBOX=1')
    expect(events).toEqual([])
  })
})

function onlyThese(...programs: string[]): void {
  for (const program of programs) {
    const path = execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim()
    symlinkSync(path, join(lab.bin, program))
  }
}
