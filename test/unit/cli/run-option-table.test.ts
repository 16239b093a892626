import { describe, expect, it } from 'vitest'
import { findAgent } from '../../../src/agents/registry.ts'
import { parseDuration } from '../../../src/base/duration.ts'
import { helpForCommand } from '../../../src/cli/help.ts'
import { parseOptions } from '../../../src/cli/parse-options.ts'
import { runOptionTable } from '../../../src/cli/run-option-table.ts'
import { agentNames } from '../../../src/settings/agent-names.ts'
import { defaults } from '../../../src/settings/defaults.ts'
import { unbuiltOptions } from '../../../src/settings/not-built.ts'
import { optionValues } from '../../../src/settings/option-values.ts'
import { resolveOptions } from '../../../src/settings/resolve-options.ts'
import { failure, value } from '../../support/repositories.ts'

const run = { name: 'run', args: ['[task]'], summary: '', example: '', options: runOptionTable }

const resolve = async (...words: string[]) => {
  const { args, options: flags } = value(await parseOptions(run, words))
  return resolveOptions({ flags, args, env: {}, local: null, file: null, ralphDir: 'ralph' })
}
const options = async (...words: string[]) => value(await resolve(...words)).options

const row = (option: string) =>
  runOptionTable.find(({ flags }) => flags.includes(`${option} `) || flags.endsWith(option))

describe('the options of run', () => {
  it('say nothing when none is given', async () => {
    expect(value(await resolve())).toMatchObject({ options: defaults, given: {}, show: {} })
  })

  it.each([
    ['-n', '3'],
    ['--max-iterations', '3'],
    ['--maximum-iterations', '3'],
    ['--max', '3'],
    ['--max=3'],
    ['--maximum-iterations=3'],
    ['-n3'],
  ])('take the number of iterations from %j', async (...words) => {
    expect(value(await resolve(...words)).given).toEqual({ maxIterations: 3 })
  })

  it('have the short names of the contract', async () => {
    expect(await options('-a', 'codex', '-m', 'gpt', '-n', '4', '-d', 'x', '-c', 'y', '-q', '-V')).toMatchObject({
      maxIterations: 4,
      agents: { implement: { name: 'codex', model: 'gpt' } },
    })
    for (const words of [
      ['-p', 'text'],
      ['-f', 'file'],
    ]) {
      expect(failure(await resolve(...words))).toMatchObject({ reason: 'not-built-yet' })
    }
  })

  it('name every agent that can be started, and no other', () => {
    const isBuilt = (name: string) => findAgent({ name, command: ['x'], format: 'text' }).ok
    const built = agentNames.filter((name) => name !== 'script' && isBuilt(name))
    expect(row('--agent')?.description).toBe(built.join(' '))
  })

  it('take arguments for the agent that look like options of ours', async () => {
    const { implement } = (await options('--agent-arg', '--model', '--agent-arg=-n', '--agent-arg', 'a b')).agents
    expect(implement.args).toEqual(['--model', '-n', 'a b'])
  })

  it('refuse a wish and its opposite', async () => {
    for (const words of [
      ['--sandbox', '--no-sandbox'],
      ['--no-sandbox', '--sandbox'],
      ['--stream-agent-output', '--no-stream-agent-output'],
    ]) {
      expect(failure(await parseOptions(run, words))).toMatchObject({
        reason: 'usage',
        message: expect.stringContaining('say opposite things') as string,
      })
    }
  })

  it('-m with a number names -n', async () => {
    expect(failure(await resolve('-m', '20'))).toMatchObject({ fix: 'For the number of iterations write: -n 20' })
  })
})

describe('the help of run', () => {
  it('has a line for every option that has a value', () => {
    for (const { option } of optionValues) expect([option, row(option)]).not.toContain(undefined)
  })

  it.each([
    ['--iteration-timeout', defaults.iterationTimeoutMs],
    ['--silence-timeout', defaults.silenceTimeoutMs],
    ['--check-timeout', defaults.checkTimeoutMs],
    ['--max-wait', defaults.maxWaitMs],
  ])('shows the true default of %s', (option, ms) => {
    expect(parseDuration(row(option)?.defaultText ?? '')).toEqual({ ok: true, value: ms })
  })

  it.each([
    ['--max-iterations', defaults.maxIterations],
    ['--idle-threshold', defaults.idleThreshold],
    ['--max-consecutive-errors', defaults.maxConsecutiveErrors],
    ['--review-cap', defaults.reviewCap],
    ['--at-review-cap', defaults.atReviewCap],
    ['--completion-tag', defaults.completionTag],
    ['--completion-response', defaults.completionResponse],
    ['--isolation', defaults.isolation],
    ['--ralph-dir', defaults.ralphDir],
    ['--agent', defaults.agents.implement.name],
  ])('shows the true default of %s: %s', (option, value) => {
    expect(row(option)?.defaultText).toBe(String(value))
  })

  it('says what is not built yet', () => {
    const marked = runOptionTable.filter(({ description }) => description.endsWith('(not built yet)'))
    expect(marked.map(({ flags }) => /--[\w-]+/.exec(flags)?.[0])).toEqual(Object.values(unbuiltOptions))
  })

  it('mentions no alias and fits 120 columns', () => {
    const lines = helpForCommand(run).split('\n')
    expect(lines.join('\n')).not.toContain('--maximum-iterations')
    expect(lines.filter((line) => line.length > 120)).toEqual([])
  })
})
