import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../src/model/event.ts'
import { LoopProject } from '../../support/loop-project.ts'

/** Who was started in which mode, by the journal. */
const whoWorked = (events: readonly Recorded[]): string[] =>
  events
    .filter((event) => event.kind === 'iteration.started')
    .map(({ mode, agent, model }) => `${mode} ${agent} ${model}`)

/** Sends the first story back once, and writes down as whom it was started, with which model. */
const scene = `
const asked = stage.args.indexOf('--model')
const model = asked === -1 ? null : stage.args[asked + 1]
stage.remember({ starts: [...(stage.notes.starts ?? []), stage.mode + ' ' + stage.format + ' ' + model] })
if (stage.mode === 'review' && stage.first('review')) {
  stage.say('no')
  stage.reject('1. Not yet.')
} else stage.honest()
`

describe('a loop of two agents', () => {
  let loop: LoopProject
  beforeEach(() => {
    loop = new LoopProject().play(scene)
    loop.addAgent('codex')
  })
  afterEach(() => loop.remove())

  it('lets another agent and model review, and the author fix', async () => {
    const { exitCode, events, stdout } = await loop.run([
      '-m',
      'opus',
      '--review-agent',
      'codex',
      '--review-model',
      'gpt',
    ])
    expect(exitCode).toBe(0)
    const starts = ['implement claude opus', 'review codex gpt', 'review-fix claude opus', 'review codex gpt']
    expect(whoWorked(events)).toEqual(starts)
    expect(loop.notes()['starts']).toEqual(starts)
    expect(stdout).toContain('Agent: claude (opus), reviewed by codex (gpt).')
  })

  it('gives no model of one agent to another', async () => {
    const { events } = await loop.run(['-m', 'opus', '--review-agent', 'codex'])
    expect(whoWorked(events).slice(0, 2)).toEqual(['implement claude opus', 'review codex null'])
  })

  it('takes them from the settings, each mode its own', async () => {
    const agents = {
      implement: { name: 'codex' },
      review: { model: 'haiku' },
      reviewFix: { name: 'codex', model: 'gpt' },
    }
    loop.write('.ralph/settings.json', JSON.stringify({ agent: { name: 'claude' }, agents }))
    const { exitCode, events } = await loop.run()
    expect(exitCode).toBe(0)
    const starts = ['implement codex null', 'review claude haiku', 'review-fix codex gpt', 'review claude haiku']
    expect(whoWorked(events)).toEqual(starts)
    expect(loop.notes()['starts']).toEqual(starts)
  })

  it('is said before anything changes if one of them is not there', async () => {
    const { exitCode, stderr, events } = await loop.run(['--review-agent', 'pi', '--no-sandbox'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('"pi" was not found')
    expect(events).toEqual([])
  })

  it('is said before anything changes if one of them is too old, and what about it', async () => {
    loop.addAgent('codex', 'codex-cli 0.122.0')
    const { exitCode, stderr, events } = await loop.run(['--review-agent', 'codex'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('codex 0.122.0 does not work here: before 0.132.0 it starts what')
    expect(stderr).toContain('Install a newer codex.')
    expect(events).toEqual([])
    const { exitCode: alone } = await loop.run()
    expect(alone).toBe(0)
  })

  it('gives an agent that does not say how old it is the chance', async () => {
    loop.addAgent('codex', 'a codex of next year')
    const { exitCode } = await loop.run(['--review-agent', 'codex'])
    expect(exitCode).toBe(0)
  })

  it('keeps a budget only if all of them can, and names the one that they can keep', async () => {
    const { exitCode, stderr } = await loop.run(['--review-agent', 'codex', '--max-cost', '5'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('codex does not say what it costs')
    expect(stderr).toContain('--max-tokens')
  })

  it('adds up the tokens of both', async () => {
    // 15 of the author, 105 of the reviewer.
    const { exitCode, events } = await loop.run(['--review-agent', 'codex', '--max-tokens', '120'])
    expect(whoWorked(events)).toEqual(['implement claude null', 'review codex null'])
    expect(events.at(-1)).toMatchObject({ kind: 'run.stopped', reason: 'budget_exhausted' })
    expect(exitCode).toBe(1)
  })

  it('gives codex a home that is gone afterwards, in which this project is not trusted', async () => {
    loop.play(`${scene}
if (stage.format === 'codex') {
  const home = stage.sh('echo "$CODEX_HOME"').trim()
  stage.remember({ home, config: stage.read(home + '/config.toml'), told: stage.read(home + '/AGENTS.md'), sandbox: stage.args })
}`)
    loop.write('CLAUDE.md', 'Indent with tabs.\n')
    loop.commit('instructions')
    await loop.run(['--review-agent', 'codex'])
    const { home, config, told, sandbox } = loop.notes() as Record<string, string>
    expect(config).toContain(`[projects.${JSON.stringify(loop.project)}]\ntrust_level = "untrusted"`)
    expect(told).toContain('Indent with tabs.')
    expect(home?.startsWith(loop.state)).toBe(true)
    expect(existsSync(home ?? '')).toBe(false)
    expect(sandbox).toEqual(expect.arrayContaining(['--sandbox', '--add-dir', join(loop.project, '.git')]))
  })
})

describe('an agent with nothing between it and the machine', () => {
  let loop: LoopProject
  beforeEach(() => {
    loop = new LoopProject().play('stage.honest()')
  })
  afterEach(() => loop.remove())

  it('is not started by itself where there is no box, as author or as reviewer', async () => {
    for (const words of [
      ['--agent', 'gemini'],
      ['--review-agent', 'gemini'],
    ]) {
      const { exitCode, stderr, events } = await loop.withoutBoxes().run(words, { RALPH_ISOLATION: 'auto' })
      expect(exitCode).toBe(3)
      expect(stderr).toContain('gemini has neither')
      expect(stderr).toContain('--no-sandbox')
      expect(events).toEqual([])
    }
  })

  it('is started when the user says so', async () => {
    const { exitCode, stderr } = await loop.run(['--agent', 'gemini', '--no-sandbox'])
    // It is only not there.
    expect(exitCode).toBe(3)
    expect(stderr).toContain('"gemini" was not found')
  })
})
