import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/settings/read-settings.ts'

const read = (value: unknown) =>
  readSettings({ path: '.ralph/settings.json', text: typeof value === 'string' ? value : JSON.stringify(value) })

function problems(value: unknown): readonly string[] {
  const result = read(value)
  if (result.ok || result.error.reason !== 'invalid-settings') throw new Error('it was taken')
  return result.error.problems
}

/** Every key of the contract. */
const full = {
  $schema: 'https://example.org/schema.json',
  agent: { name: 'custom', model: 'm', command: '/bin/agent', args: ['--x', ''], format: 'claude' },
  agents: {
    implement: { name: 'claude', model: 'opus' },
    review: { name: 'codex', model: 'gpt' },
    reviewFix: { name: 'claude', model: 'haiku' },
  },
  maxIterations: 20,
  maxCost: 5.5,
  maxTokens: 1_000_000,
  maxTime: '2h',
  iterationTimeout: 90,
  silenceTimeout: '90s',
  checkTimeout: '1.5m',
  idleThreshold: 3,
  maxConsecutiveErrors: 4,
  maxWait: 0,
  completionTag: 'ALL DONE',
  completionResponse: 'OK',
  checks: [{ command: 'npm test', failAction: 'APPEND', hint: 'Fix it.', timeout: '1m' }],
  outputTruncateChars: 1000,
  streamAgentOutput: false,
  includeIterationCountInPrompt: false,
  scm: { command: 'git', tasks: ['commit', 'push'] },
  skipReview: true,
  reviewCap: 2,
  atReviewCap: 'stop',
  protectedPaths: ['test/**', ':(exclude)test/tmp'],
  isolation: { backend: 'none', allowHosts: ['example.org'], network: 'registries' },
  env: { pass: ['NPM_TOKEN'], drop: ['AWS_*', '*_TOKEN'] },
  guard: { allow: ['remove-outside'] },
  git: { prBase: 'main', worktree: { name: 'R', email: 'r@x', signingKey: 'k', sshKey: '/k' } },
  notify: { command: 'say done' },
}

describe('a settings file', () => {
  it('may have every key of the contract', () => {
    const { $schema: _, ...rest } = full
    expect(read(full)).toEqual({ ok: true, value: rest })
  })

  it('may be missing or empty', () => {
    expect(readSettings(null)).toEqual({ ok: true, value: {} })
    expect(read({})).toEqual({ ok: true, value: {} })
  })

  it('may use the names of the earlier design', () => {
    expect(read({ maximumIterations: 7, guardrails: [{ command: 'make' }] })).toEqual({
      ok: true,
      value: { maxIterations: 7, checks: [{ command: 'make' }] },
    })
  })

  it('lifts only rules of the guard that there are, and none that protects the loop', () => {
    expect(read({ guard: { allow: ['as-root'] } })).toMatchObject({ ok: true })
    expect(problems({ guard: { allow: ['as-rot', 'marker', 3] } })).toEqual([
      'guard.allow[0] must be the name of a rule of the guard (the nearest is "as-root"), not "as-rot".',
      'guard.allow[1] must be a rule that may be lifted: this one protects the loop, not "marker".',
      'guard.allow[2] must be the name of a rule of the guard, not 3.',
    ])
  })

  it('may not use both names of a setting', () => {
    expect(problems({ maximumIterations: 7, maxIterations: 8, checks: [], guardrails: [] })).toEqual([
      'maximumIterations and maxIterations are one setting. Keep one.',
      'guardrails and checks are one setting. Keep one.',
    ])
  })

  it.each([
    ['.', 'maxIteration', 'maxIterations'],
    ['agent', 'nmae', 'name'],
    ['agent', 'flags', 'args'],
    ['agents.review', 'modle', 'model'],
    ['git.worktree', 'mail', 'email'],
  ])('at %s may not have the unknown key %s, and is told of %s', (path, key, nearest) => {
    const keys = path === '.' ? [] : path.split('.')
    const value = keys.reduceRight<unknown>((inner, name) => ({ [name]: inner }), { [key]: 1 })
    expect(problems(value)).toEqual([`${[...keys, key].join('.')} is unknown; the nearest key is "${nearest}".`])
  })

  it('is told everything that is wrong with it at once, one line each', () => {
    const wrong = {
      maxIterations: 0,
      maxTime: 'soon',
      checks: [{ command: 'a' }, { hint: 'no command' }, 'npm test'],
      agent: { name: 'claud', what: 1, why: 2 },
      env: { drop: ['A=B'] },
    }
    expect(problems(wrong)).toEqual([
      'agent.name must be one of claude, codex, amp, gemini, opencode, qwen, copilot, cursor, pi, droid, script, custom, not "claud".',
      'agent.what is unknown; the nearest key is "name".',
      'agent.why is unknown; the nearest key is "name".',
      'maxIterations must be a whole number from 1 to 100000, not 0.',
      'maxTime must be a duration: 90 (seconds), 90s, 10m or 2h, above 0 and at most 576h, not "soon".',
      'checks[1].command is missing (must be a command).',
      'checks[2] must be an object, not "npm test".',
      'env.drop[0] must be the name of a variable, or a pattern with *, not "A=B".',
    ])
  })

  it.each([
    ['maxIterations', [0, -1, 1.5, 100_001, '5', null, true]],
    ['maxCost', [0, -1, '5', 2_000_000]],
    ['maxTokens', [0, 1.5]],
    ['maxTime', [0, -5, '0', '1d', '', '577h', 2_073_601, null]],
    ['iterationTimeout', ['0s']],
    ['maxWait', [-1, '600h']],
    ['idleThreshold', [0]],
    ['maxConsecutiveErrors', [0]],
    ['completionTag', ['', ' ', 'a\nb', '<b>', 'x'.repeat(201), 5]],
    ['completionResponse', ['', '</response>']],
    ['checks', [{}, 'npm test', [{}], [{ command: '' }], [{ command: 'a', failAction: 'later' }]]],
    ['outputTruncateChars', [0, 99]],
    ['streamAgentOutput', ['yes', 0]],
    ['skipReview', ['true']],
    ['reviewCap', [0, 101]],
    ['atReviewCap', ['go']],
    ['protectedPaths', ['test', [''], ['/etc'], [':(attr:x)y'], [1]]],
    ['isolation', [{ backend: 'docker' }, { network: 'all' }, 'none']],
    [
      'agent',
      ['claude', { command: '' }, { command: [] }, { command: [''] }, { model: '' }, { model: '-x' }, { args: 'x' }],
    ],
    ['agents', [{ fix: {} }, { review: 'codex' }]],
    ['notify', [{ command: '' }]],
  ])('refuses for %s each of %j', (key, values) => {
    for (const value of values) expect([value, problems({ [key]: value }).length]).toEqual([value, 1])
  })

  it.each(['https://example.org', 'a b', '*', '**', '*.com', '-x', 'a,b', 'a\nb', 'a/b', '2001:db8::1', 'a:x', ''])(
    'may not name the host %j, which no box could mean',
    (host) => {
      expect(problems({ isolation: { allowHosts: [host] } })).toEqual([
        expect.stringContaining('isolation.allowHosts[0] must be the name of a host, like "example.com"'),
      ])
    },
  )

  it('may name hosts with a port, all names below one, addresses and names of one word', () => {
    const allowHosts = ['EXAMPLE.org', '*.example.org', 'a-b.c_d.example:8443', 'localhost', '127.0.0.1:80', '[::1]:80']
    expect(read({ isolation: { allowHosts } })).toEqual({ ok: true, value: { isolation: { allowHosts } } })
  })

  it('that is a list or a word is refused in one line', () => {
    expect(problems([])).toEqual(['The file must be an object, not [].'])
    expect(problems('"x"')).toEqual(['The file must be an object, not "x".'])
  })

  it.each([
    ['{', 'Not valid JSON'],
    ['{"agent": {"__proto__": {}}}', 'Has a key named "__proto__"'],
    ['{"constructor": 1}', 'Has a key named "constructor"'],
    ['['.repeat(50_000), 'Nested deeper than 64 levels'],
    ['{"maxIterations": 1, "maxIterations": 2}', 'Line 1: the key "maxIterations" stands twice'],
  ])('%j is refused with a reason', (text, why) => {
    expect(problems(text)[0]).toContain(why)
  })

  it('shows the characters of a hostile key instead of sending them to the terminal', () => {
    expect(problems({ 'a\u001b[2J\n': 1 })[0]).toContain('a\\u{1b}[2J\\n is unknown')
  })
})
