import { describe, expect, it } from 'vitest'
import { defaults } from '../../../src/settings/defaults.ts'
import type { OptionSources } from '../../../src/settings/resolve-options.ts'
import { resolveOptions } from '../../../src/settings/resolve-options.ts'
import { failure, value } from '../../support/repositories.ts'

type Given = Partial<Omit<OptionSources, 'file' | 'local'>> & { file?: unknown; local?: unknown }

function resolve({ file, local, ...rest }: Given = {}) {
  const asFile = (name: string, content: unknown) =>
    content === undefined ? null : { path: `.ralph/${name}`, text: JSON.stringify(content) }
  return resolveOptions({
    flags: {},
    args: [],
    env: {},
    ralphDir: 'ralph',
    ...rest,
    file: asFile('settings.json', file),
    local: asFile('settings.local.json', local),
  })
}

const options = (given: Given = {}) => value(resolve(given)).options
const agents = (given: Given = {}) => options(given).agents
const refused = (given: Given) => failure(resolve(given))
const flags = (given: OptionSources['flags']) => ({ flags: given })

describe('the options of a run', () => {
  it('are the defaults when nobody says anything', () => {
    expect(value(resolve())).toEqual({ options: defaults, show: {}, given: {}, remarks: [] })
  })

  it('come from the flag, else the environment, else the local file, else the file, else the default', () => {
    const file = { maxCost: 1, maxTime: 60, checkTimeout: 60, silenceTimeout: 60 }
    const local = { maxTime: 120, checkTimeout: 120, silenceTimeout: 120 }
    const env = { RALPH_CHECK_TIMEOUT: '3m', RALPH_SILENCE_TIMEOUT: '3m' }
    expect(options({ file, local, env, ...flags({ silenceTimeout: '4m' }) })).toMatchObject({
      iterationTimeoutMs: defaults.iterationTimeoutMs,
      maxCostUsd: 1,
      maxTimeMs: 120_000,
      checkTimeoutMs: 180_000,
      silenceTimeoutMs: 240_000,
    })
  })

  it('are those of every flag', () => {
    const given = {
      check: ['npm test'],
      maxIterations: '20',
      maxCost: '2.50',
      maxTokens: '5000',
      maxTime: '2h',
      iterationTimeout: '90',
      silenceTimeout: '90s',
      checkTimeout: '10m',
      idleThreshold: '3',
      maxConsecutiveErrors: '4',
      maxWait: '0',
      completionTag: 'FERTIG',
      completionResponse: 'ok',
      skipReview: true,
      reviewCap: '2',
      atReviewCap: 'stop',
      story: 'US-001',
      sandbox: false,
      branch: false,
      allowDirty: true,
      strict: true,
      ralphDir: 'work/ralph',
    }
    const expected = {
      checks: [{ command: 'npm test', failAction: null, hint: null, timeoutMs: null }],
      maxIterations: 20,
      maxCostUsd: 2.5,
      maxTokens: 5000,
      maxTimeMs: 7_200_000,
      iterationTimeoutMs: 90_000,
      silenceTimeoutMs: 90_000,
      checkTimeoutMs: 600_000,
      idleThreshold: 3,
      maxConsecutiveErrors: 4,
      maxWaitMs: 0,
      completionTag: 'FERTIG',
      completionResponse: 'ok',
      skipReview: true,
      reviewCap: 2,
      atReviewCap: 'stop',
      story: 'US-001',
      isolation: 'none',
      requireSandbox: false,
      noBranch: true,
      allowDirty: true,
      strict: true,
      ralphDir: 'work/ralph',
    }
    const resolved = value(resolve({ ...flags(given), ralphDir: 'work/ralph' }))
    expect(resolved.given).toEqual(expected)
    expect(resolved.options).toEqual({ ...defaults, ...expected })
  })

  it('are those of every setting', () => {
    const file = {
      checks: [{ command: 'make', failAction: 'PREPEND', hint: 'h', timeout: '1m' }],
      maxIterations: 3,
      maxTokens: 9,
      maxWait: '1h',
      iterationTimeout: 5,
      idleThreshold: 5,
      maxConsecutiveErrors: 6,
      completionTag: 'T',
      completionResponse: 'R',
      outputTruncateChars: 100,
      includeIterationCountInPrompt: false,
      skipReview: true,
      reviewCap: 1,
      atReviewCap: 'stop',
      protectedPaths: ['a'],
      isolation: { backend: 'none' },
      env: { pass: ['A'], drop: ['B'] },
    }
    expect(options({ file })).toEqual({
      ...defaults,
      checks: [{ command: 'make', failAction: 'prepend', hint: 'h', timeoutMs: 60_000 }],
      maxIterations: 3,
      maxTokens: 9,
      maxWaitMs: 3_600_000,
      iterationTimeoutMs: 5000,
      idleThreshold: 5,
      maxConsecutiveErrors: 6,
      completionTag: 'T',
      completionResponse: 'R',
      outputTruncateChars: 100,
      includeIterationCountInPrompt: false,
      skipReview: true,
      reviewCap: 1,
      atReviewCap: 'stop',
      protectedPaths: ['a'],
      isolation: 'none',
      env: { pass: ['A'], drop: ['B'] },
    })
  })

  it('take nothing from variables that are empty or that the runner sets for agents', () => {
    const env = { RALPH_MAX_COST: '', RALPH_MAX_ITERATIONS: '3', RALPH_MODE: 'review', RALPH_STORY: 'A' }
    expect(options({ env })).toEqual(defaults)
  })

  it('add the checks of flags to those of the settings, each once', () => {
    const { checks } = options({ file: { checks: [{ command: 'a' }] }, ...flags({ check: ['b', 'a', 'b'] }) })
    expect(checks.map((check) => check.command)).toEqual(['a', 'b'])
  })

  it('name the settings that change nothing yet', () => {
    expect(value(resolve({ file: { notify: { command: 'x' } } })).remarks).toEqual([
      'The setting "notify" is not used yet in this version.',
    ])
  })
})

describe('a run that goes on', () => {
  const journalled = { ...defaults, maxIterations: 9, story: 'A' }

  it('keeps what it had, whatever files and environment say now', () => {
    expect(options({ journalled, file: { maxIterations: 3 }, env: { RALPH_MAX_COST: '1' } })).toEqual(journalled)
  })

  it('takes the flags given now, and only they are told', () => {
    const { options, given } = value(resolve({ journalled, ...flags({ maxIterations: '30', check: [] }) }))
    expect(given).toEqual({ maxIterations: 30 })
    expect(options).toEqual({ ...journalled, ...given })
  })

  it('keeps its directory unless a flag names another', () => {
    const elsewhere = { ...journalled, ralphDir: 'other' }
    expect(options({ journalled: elsewhere }).ralphDir).toBe('other')
    expect(options({ journalled: elsewhere, ...flags({ ralphDir: './ralph' }) }).ralphDir).toBe('ralph')
  })

  it('is not changed by the same command line once more', () => {
    const given = flags({ check: ['x'], agent: 'codex', model: 'gpt', agentArg: ['--a', '--b'], maxCost: '3' })
    const first = options(given)
    expect(options({ ...given, journalled: first })).toEqual(first)
  })

  it('keeps its agent when only the model is new', () => {
    const first = options(flags({ agent: 'codex', model: 'gpt' }))
    expect(agents({ journalled: first, ...flags({ model: 'gpt-2' }) }).review).toMatchObject({
      name: 'codex',
      model: 'gpt-2',
    })
  })
})

describe('who works', () => {
  it('is Claude Code in every mode by default', () => {
    const claude = { name: 'claude', model: null, command: null, args: [], format: 'text' }
    expect(agents()).toEqual({ implement: claude, review: claude, reviewFix: claude })
  })

  it('is the agent of the settings in every mode, but where a mode has its own', () => {
    const file = { agent: { name: 'codex', model: 'gpt', args: ['-x'] }, agents: { review: { name: 'claude' } } }
    const codex = { name: 'codex', model: 'gpt', command: null, args: ['-x'], format: 'text' }
    expect(agents({ file })).toEqual({
      implement: codex,
      review: { name: 'claude', model: null, command: null, args: [], format: 'text' },
      reviewFix: codex,
    })
  })

  it('is another model of the same agent where only that is said', () => {
    const file = { agent: { model: 'opus', args: ['-x'] }, agents: { review: { model: 'haiku' } } }
    expect(agents({ file }).review).toMatchObject({ name: 'claude', model: 'haiku', args: ['-x'] })
  })

  it('is decided by the program of the settings', () => {
    expect(agents({ file: { agent: { command: 'codex' } } }).implement).toMatchObject({ name: 'codex', command: null })
    expect(agents({ file: { agent: { command: '/opt/claude', args: ['b'] } } }).review).toMatchObject({
      name: 'claude',
      command: ['/opt/claude'],
    })
    expect(agents({ file: { agent: { command: ['claude', '--a'], args: ['--b'] } } }).implement).toMatchObject({
      name: 'claude',
      command: null,
      args: ['--a', '--b'],
    })
    expect(agents({ file: { agent: { command: ['/opt/mine', '--a'], format: 'codex' } } }).implement).toMatchObject({
      name: 'custom',
      command: ['/opt/mine', '--a'],
      format: 'codex',
    })
  })

  it('is the agent that the settings name, whatever its program is called', () => {
    expect(agents({ file: { agent: { name: 'custom', command: 'claude' } } }).implement).toMatchObject({
      name: 'custom',
      command: ['claude'],
    })
    expect(agents({ file: { agent: { name: 'codex', command: '/opt/wrapper' } } }).implement).toMatchObject({
      name: 'codex',
      command: ['/opt/wrapper'],
    })
  })

  it('starts anew with another agent: model, program and arguments were for the other one', () => {
    const file = { agent: { command: '/opt/claude', model: 'opus', args: ['--x'] } }
    expect(agents({ file, ...flags({ agent: 'codex' }) }).implement).toEqual({
      name: 'codex',
      model: null,
      command: null,
      args: [],
      format: 'text',
    })
    expect(agents({ file, env: { RALPH_AGENT: 'claude' } }).implement).toMatchObject({ model: 'opus', args: ['--x'] })
  })

  it('is custom on request, with the program of the settings', () => {
    const file = { agent: { command: '/opt/claude', format: 'claude' } }
    expect(agents({ file, ...flags({ agent: 'custom' }) }).review).toMatchObject({
      name: 'custom',
      command: ['/opt/claude'],
      format: 'claude',
    })
  })

  it('is the author in the review too, unless somebody said otherwise', () => {
    expect(agents(flags({ agent: 'codex', model: 'gpt' })).review).toMatchObject({ name: 'codex', model: 'gpt' })
    const file = { agents: { review: { name: 'amp' } } }
    expect(agents({ file, ...flags({ agent: 'codex' }) })).toMatchObject({
      implement: { name: 'codex' },
      review: { name: 'amp' },
      reviewFix: { name: 'codex' },
    })
  })

  it('is the reviewer of the flags', () => {
    expect(agents(flags({ model: 'opus', reviewAgent: 'codex', reviewModel: 'gpt' }))).toMatchObject({
      implement: { name: 'claude', model: 'opus' },
      review: { name: 'codex', model: 'gpt' },
      reviewFix: { name: 'claude', model: 'opus' },
    })
    expect(agents(flags({ model: 'opus', reviewModel: 'haiku' })).review).toMatchObject({ model: 'haiku' })
  })

  it('gets the arguments of the flags behind its own, and another reviewer none of them', () => {
    const file = { agent: { args: ['--a'] } }
    const { implement, review } = agents({ file, ...flags({ agentArg: ['--b', '-c'], reviewAgent: 'codex' }) })
    expect(implement.args).toEqual(['--a', '--b', '-c'])
    expect(review.args).toEqual([])
  })

  it.each([
    [flags({ agent: 'custom' }), 'needs a program'],
    [{ file: { agent: { command: 'node agent.mjs' } } }, 'neither a name on PATH nor an absolute path'],
    [{ file: { agent: { command: './agent.sh' } } }, 'neither a name on PATH nor an absolute path'],
    [flags({ reviewAgent: 'custom' }), 'needs a program'],
  ])('%j is refused with what to do', (given, why) => {
    expect(refused(given)).toMatchObject({
      reason: 'usage',
      message: expect.stringContaining(why) as string,
      fix: expect.stringContaining('"command"') as string,
    })
  })
})

describe('a value that cannot be meant', () => {
  it.each([
    [{ model: '20' }, '-m is the model, and 20 is a number.'],
    [{ reviewModel: '3' }, '--review-model is a model, and 3 is a number.'],
    [{ maxIterations: '0' }, '--max-iterations must be a whole number from 1 to 100000, not "0".'],
    [{ maxIterations: 'many' }, '--max-iterations must be a whole number'],
    [{ maxIterations: '1e3' }, '--max-iterations must be a whole number'],
    [{ maxIterations: '-5' }, '--max-iterations must be a whole number'],
    [{ maxCost: '0' }, '--max-cost must be an amount in US dollars'],
    [{ maxCost: 'NaN' }, '--max-cost must be an amount'],
    [{ maxTokens: '1.5' }, '--max-tokens must be a whole number'],
    [{ maxTime: '0' }, '--max-time must be a duration'],
    [{ maxTime: '1d' }, '--max-time must be a duration'],
    [{ iterationTimeout: '600h' }, '--iteration-timeout must be a duration'],
    [{ reviewCap: '0' }, '--review-cap must be'],
    [{ atReviewCap: 'wait' }, '--at-review-cap must be one of approve, stop'],
    [{ story: '../x' }, '--story must be the id of a story'],
    [{ agent: 'claud' }, 'the nearest is "claude"'],
    [{ model: '' }, '--model must be the name of a model'],
    [{ model: '--x' }, '--model must be the name of a model'],
    [{ completionTag: '</promise>' }, '--completion-tag must be a text'],
    [{ isolation: 'docker' }, '--isolation must be one of'],
    [{ output: 'xml' }, '--output must be one of pretty, plain, json'],
    [{ check: ['npm test', ' '] }, '--check must be a command'],
    [{ sandbox: true, isolation: 'none' }, 'opposite'],
    [{ sandbox: false, isolation: 'os' }, 'opposite'],
    [{ sandbox: false, isolation: 'auto' }, 'opposite'],
  ])('%j is wrong usage', (given, message) => {
    expect(refused(flags(given))).toMatchObject({
      reason: 'usage',
      message: expect.stringContaining(message) as string,
    })
  })

  it('of -m is told of -n', () => {
    expect(refused(flags({ model: '20' }))).toMatchObject({ fix: 'For the number of iterations write: -n 20' })
  })

  it('in the environment is named by its variable', () => {
    expect(refused({ env: { RALPH_MAX_COST: 'x\u001b' } })).toMatchObject({
      message: expect.stringMatching(/^The variable RALPH_MAX_COST must be .*, not "x\\u\{1b\}"\.$/) as string,
    })
    expect(refused({ env: { RALPH_OUTPUT: 'xml' } })).toMatchObject({
      message: expect.stringContaining('The variable RALPH_OUTPUT') as string,
    })
  })

  it('in a file is named with the file', () => {
    expect(refused({ local: { maxIterations: 0 } })).toMatchObject({
      reason: 'invalid-settings',
      path: '.ralph/settings.local.json',
    })
  })
})

describe('two tasks in one command line', () => {
  it.each([
    [['a'], { prompt: 'b' }],
    [['a'], { promptFile: 'b' }],
    [[], { prompt: 'a', promptFile: 'b' }],
    [[], { prompt: 'a', spec: 'b' }],
    [[], { promptFile: 'a', spec: 'b' }],
    [['a'], { spec: 'b', prompt: 'c' }],
  ])('%j %j are wrong usage', (args, given) => {
    expect(refused({ args, ...flags(given) })).toMatchObject({ reason: 'usage' })
  })
})

describe('what is not built yet', () => {
  it.each([
    [['a task'], {}],
    [['a task'], { spec: 's.md' }],
    [[], { prompt: 'x' }],
    [[], { promptFile: 'x' }],
    [[], { spec: 'x' }],
    [[], { doneFile: 'x' }],
    [[], { worktree: true }],
    [[], { worktreeName: 'x' }],
    [[], { push: true }],
    [[], { pr: true }],
  ])('%j %j says so', (args, given) => {
    expect(refused({ args, ...flags(given) })).toMatchObject({ reason: 'not-built-yet' })
  })

  it.each([
    [flags({ sandbox: true }), 'auto'],
    [flags({ isolation: 'sbx' }), 'sbx'],
    [flags({ isolation: 'os', sandbox: true }), 'os'],
    [{ file: { isolation: { backend: 'os' } } }, 'os'],
    [{ env: { RALPH_ISOLATION: 'sbx' } }, 'sbx'],
    [{ file: { isolation: { backend: 'none' } }, ...flags({ sandbox: true }) }, 'auto'],
  ])('with %j are a box or nothing', (given, isolation) => {
    expect(options(given)).toMatchObject({ isolation, requireSandbox: true })
  })

  it('does not matter where a stronger word asks for no box', () => {
    const file = { isolation: { backend: 'os' } }
    expect(options({ file, ...flags({ sandbox: false }) })).toMatchObject({ isolation: 'none', requireSandbox: false })
    expect(options({ file, env: { RALPH_ISOLATION: 'auto' } })).toMatchObject({ isolation: 'auto' })
  })
})

describe('how a run shows itself', () => {
  it('is what flags, environment and settings say of it, and nothing more', () => {
    const show = (given: Given) => value(resolve(given)).show
    expect(show(flags({ output: 'json', quiet: true, verbose: true, streamAgentOutput: false, emoji: false }))).toEqual(
      {
        output: 'json',
        quiet: true,
        verbose: true,
        streamAgentOutput: false,
        emoji: false,
      },
    )
    expect(show({ env: { RALPH_OUTPUT: 'plain' }, file: { streamAgentOutput: false } })).toEqual({
      output: 'plain',
      streamAgentOutput: false,
    })
    expect(show({ file: { streamAgentOutput: false }, ...flags({ streamAgentOutput: true, emoji: true }) })).toEqual({
      streamAgentOutput: true,
    })
  })
})
