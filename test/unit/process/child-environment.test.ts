import { describe, expect, it } from 'vitest'
import { childEnvironment, type ChildEnvironmentRequest } from '../../../src/process/child-environment.ts'

const ralph = {
  runId: 'R',
  iteration: 3,
  maxIterations: 15,
  mode: 'review',
  story: 'US-001',
  dir: 'ralph',
  isolation: 'none',
  guardAllow: [],
} as const

const given = (
  kind: 'agent' | 'check',
  env: Record<string, string | undefined>,
  more: Partial<ChildEnvironmentRequest> = {},
): Record<string, string> => childEnvironment({ kind, env, path: '/usr/bin', pass: [], drop: [], ralph, ...more })

/** Which of these names arrive. */
const arriving = (
  kind: 'agent' | 'check',
  names: readonly string[],
  more: Partial<ChildEnvironmentRequest> = {},
): string[] => {
  const got = given(kind, Object.fromEntries(names.map((name) => [name, 'x'])), more)
  return names.filter((name) => got[name] === 'x')
}

const kinds = ['agent', 'check'] as const

describe.each(kinds)('every %s', (kind) => {
  it('gets the ordinary environment of the user', () => {
    const names = ['HOME', 'USER', 'LANG', 'TERM', 'SHELL', 'http_proxy', 'NODE_EXTRA_CA_CERTS', 'DATABASE_URL', 'CI']
    const more = [
      'JAVA_HOME',
      'GOFLAGS',
      'VIRTUAL_ENV',
      'PYTHONPATH',
      'LD_LIBRARY_PATH',
      'npm_config_registry',
      'NVM_DIR',
    ]
    expect(arriving(kind, [...names, ...more])).toEqual([...names, ...more])
  })

  it('is told of the loop', () => {
    expect(given(kind, {})).toEqual({
      PATH: '/usr/bin',
      RALPH_RUN_ID: 'R',
      RALPH_ITERATION: '3',
      RALPH_MAX_ITERATIONS: '15',
      RALPH_MODE: 'review',
      RALPH_STORY: 'US-001',
      RALPH_DIR: 'ralph',
      RALPH_ISOLATION: 'none',
    })
  })

  it('is told which rules of the guard the settings lift, and by nobody else', () => {
    const outer = { RALPH_GUARD_ALLOW: 'remove-outside' }
    expect(given(kind, outer)['RALPH_GUARD_ALLOW']).toBeUndefined()
    const lifted = { ...ralph, guardAllow: ['as-root', 'kill'] }
    expect(given(kind, outer, { ralph: lifted })['RALPH_GUARD_ALLOW']).toBe('as-root,kill')
  })

  it('hears nothing of a loop around this one', () => {
    const env = { RALPH_RUN_ID: 'other', RALPH_MODE: 'implement', RALPH_STORY: 'US-009', RALPH_CONTEXT_WINDOW: '1000' }
    const got = given(kind, env, { ralph: { ...ralph, mode: null, story: null }, pass: ['RALPH_*'] })
    expect(got).toMatchObject({ RALPH_RUN_ID: 'R', RALPH_CONTEXT_WINDOW: '1000' })
    expect(Object.keys(got)).not.toContain('RALPH_MODE')
    expect(Object.keys(got)).not.toContain('RALPH_STORY')
  })

  it('gets the PATH that was made for it, whatever the user says', () => {
    const env = { PATH: '/project/node_modules/.bin:/usr/bin' }
    expect(given(kind, env, { pass: ['PATH'] })['PATH']).toBe('/usr/bin')
    expect(given(kind, env, { drop: ['*'] })['PATH']).toBe('/usr/bin')
  })

  it.each([
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'NODE_AUTH_TOKEN',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_PROFILE',
    'AZURE_CLIENT_SECRET',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'STRIPE_SECRET_KEY',
    'SENTRY_AUTH_TOKEN',
    'PGPASSWORD',
    'DB_PASSWORD',
    'MAILGUN_API_KEY',
    'DEPLOY_PRIVATE_KEY',
    'SLACK_WEBHOOK_URL',
    'npm_config_//registry.npmjs.org/:_authToken',
    'NPM_CONFIG__AUTH',
    'SSH_AUTH_SOCK',
    'KUBECONFIG',
    'VAULT_ADDR',
    'OP_SESSION_abc',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
    'TOKEN',
    'some_service_token',
  ])('has no %s', (name) => {
    expect(arriving(kind, [name])).toEqual([])
  })

  it.each([
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_npm%%',
    'SHELLOPTS',
    'MAKEFLAGS',
    'MAKEFILES',
    'npm_config_script_shell',
    'NPM_CONFIG_SCRIPT_SHELL',
    'npm_lifecycle_event',
    'npm_config_if_present',
    'GIT_DIR',
    'GIT_INDEX_FILE',
    'GIT_CONFIG_PARAMETERS',
    'GIT_CONFIG_COUNT',
    'GIT_ASKPASS',
    'NODE_TEST_CONTEXT',
    'CLAUDECODE',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_ENTRYPOINT',
    'GITHUB_ENV',
    'PWD',
  ])('is not reached through %s', (name) => {
    expect(arriving(kind, [name])).toEqual([])
  })

  it('knows who commits, and where the own configuration of git is', () => {
    const names = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_EMAIL', 'GIT_CONFIG_GLOBAL', 'GIT_SSH_COMMAND']
    expect(arriving(kind, names)).toEqual(names)
  })

  it('keeps a region, which is no credential', () => {
    expect(arriving(kind, ['AWS_REGION', 'AWS_DEFAULT_REGION'])).toEqual(['AWS_REGION', 'AWS_DEFAULT_REGION'])
  })

  it('gets what the user passes, by name or by pattern', () => {
    expect(arriving(kind, ['GH_TOKEN', 'AWS_PROFILE', 'NPM_TOKEN'], { pass: ['gh_token', 'AWS_*'] })).toEqual([
      'GH_TOKEN',
      'AWS_PROFILE',
    ])
    expect(arriving(kind, ['BASH_ENV', 'NODE_OPTIONS'], { pass: ['BASH_ENV', 'NODE_OPTIONS'] })).toHaveLength(2)
  })

  it('does not get what the user drops', () => {
    expect(arriving(kind, ['LANG', 'MY_THING', 'MY_OTHER'], { drop: ['LANG', 'MY_*'] })).toEqual([])
  })

  it('takes a name for more than a pattern, and dropping for more than passing', () => {
    expect(arriving(kind, ['A', 'B', 'C'], { drop: ['*'], pass: ['B'] })).toEqual(['B'])
    expect(arriving(kind, ['A_1', 'A_2'], { pass: ['A_*'], drop: ['A_2'] })).toEqual(['A_1'])
    expect(arriving(kind, ['A'], { pass: ['A'], drop: ['A'] })).toEqual([])
    expect(arriving(kind, ['A'], { pass: ['A*'], drop: ['*'] })).toEqual([])
  })

  it('gets no variable without a value', () => {
    expect(Object.keys(given(kind, { EMPTY: '', NONE: undefined }))).toContain('EMPTY')
    expect(Object.keys(given(kind, { EMPTY: '', NONE: undefined }))).not.toContain('NONE')
  })
})

describe('what agents log in with', () => {
  const keys = [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'OPENAI_API_KEY',
    'CODEX_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'AMP_API_KEY',
    'CURSOR_API_KEY',
    'COPILOT_GITHUB_TOKEN',
    'FACTORY_API_KEY',
    'OPENROUTER_API_KEY',
    'DASHSCOPE_API_KEY',
    'AWS_BEARER_TOKEN_BEDROCK',
  ]

  it('reaches them', () => expect(arriving('agent', keys)).toEqual(keys))
  it('does not reach checks, which run their code', () => expect(arriving('check', keys)).toEqual([]))

  it('is where their configuration is, for both', () => {
    const names = ['ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'CLAUDE_CODE_USE_BEDROCK']
    for (const kind of kinds) expect(arriving(kind, names)).toEqual(names)
  })

  it.each([
    ['CLAUDE_CODE_USE_BEDROCK', 'AWS_SECRET_ACCESS_KEY'],
    ['CLAUDE_CODE_USE_VERTEX', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ['CLAUDE_CODE_USE_FOUNDRY', 'AZURE_CLIENT_SECRET'],
  ])('are the credentials of a cloud where %s says that the model is there: %s', (key, credential) => {
    const env = { [credential]: 'x', GH_TOKEN: 'x' }
    expect(given('agent', { ...env, [key]: '1' })[credential]).toBe('x')
    expect(given('agent', { ...env, [key]: '1' })['GH_TOKEN']).toBeUndefined()
    expect(given('agent', { ...env, [key]: 'False' })[credential]).toBeUndefined()
    expect(given('check', { ...env, [key]: '1' })[credential]).toBeUndefined()
  })
})

describe('what would make a check another command', () => {
  it('is for agents only', () => {
    const names = ['PYTEST_ADDOPTS', 'LD_PRELOAD', 'CDPATH', 'FORCE_COLOR', 'PYTHONOPTIMIZE']
    expect(arriving('agent', names)).toEqual(names)
    expect(arriving('check', names)).toEqual([])
  })

  it.each([
    ['--max-old-space-size=8192', true],
    ['--enable-source-maps --no-warnings', true],
    ['--require ./shim.js', false],
    ['--max-old-space-size=8192 -r ./shim.js', false],
    ['--import=./shim.mjs', false],
    ['"--require=./a b.js"', false],
    ['--experimental-loader ./x.mjs', false],
  ])('NODE_OPTIONS="%s" reaches agents: %s', (value, reaches) => {
    expect(given('agent', { NODE_OPTIONS: value })['NODE_OPTIONS'] === value).toBe(reaches)
    expect(given('check', { NODE_OPTIONS: value })['NODE_OPTIONS']).toBeUndefined()
  })
})
