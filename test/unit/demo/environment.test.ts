import { describe, expect, it } from 'vitest'
import { agentEnvironment, demoEnvironment, pauseMs } from '../../../src/demo/environment.ts'

const settings = {
  stateDir: '/scratch/state',
  configHome: '/scratch/none',
  node: '/opt/node/bin/node',
  startedMs: 9000,
}

describe('the environment of a demo', () => {
  const env = demoEnvironment(
    {
      HOME: '/home/u',
      PATH: '/usr/bin:/bin',
      LANG: 'de_DE.UTF-8',
      GIT_DIR: '/somewhere/.git',
      GIT_AUTHOR_NAME: 'User',
      GIT_CONFIG_COUNT: '1',
      NODE_OPTIONS: '--inspect',
      NODE_TEST_CONTEXT: 'child-v8',
      RALPH_RUN_ID: '20260101-120000-0a1b2c3d',
      RALPH_MAX_ITERATIONS: '1',
      RALPH_DEMO_FAST: '1',
      XDG_CONFIG_HOME: '/home/u/.config',
      UNSET: undefined,
    },
    settings,
  )

  it('names no other repository, loop or test run', () => {
    const gone = ['GIT_DIR', 'GIT_CONFIG_COUNT', 'NODE_OPTIONS', 'NODE_TEST_CONTEXT', 'RALPH_RUN_ID', 'UNSET']
    for (const name of [...gone, 'RALPH_MAX_ITERATIONS']) expect(env).not.toHaveProperty(name)
  })

  it('has its own place, identity and configuration', () => {
    expect(env).toMatchObject({
      RALPH_STATE_DIR: '/scratch/state',
      XDG_CONFIG_HOME: '/scratch/none',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ralph Demo',
      GIT_COMMITTER_NAME: 'Ralph Demo',
    })
  })

  it('keeps the rest, and finds the node that runs it first', () => {
    expect(env).toMatchObject({ HOME: '/home/u', LANG: 'de_DE.UTF-8', RALPH_DEMO_FAST: '1' })
    expect(env['PATH']).toBe('/opt/node/bin:/usr/bin:/bin')
    expect(demoEnvironment({}, settings)['PATH']).toBe('/opt/node/bin')
  })
})

describe('what the agent starts', () => {
  it('carries the id of the run, by which the runner finds it', () => {
    expect(agentEnvironment({ RALPH_RUN_ID: 'x', GIT_INDEX_FILE: '/i' })).toMatchObject({ RALPH_RUN_ID: 'x' })
    expect(agentEnvironment({ GIT_INDEX_FILE: '/i' })).not.toHaveProperty('GIT_INDEX_FILE')
  })
})

describe('a pause', () => {
  it.each([
    ['is as long as wanted while the iteration is in time', { RALPH_ITERATION: '2' }, 11_000, 150],
    ['ends when its time is over', { RALPH_ITERATION: '2' }, 11_150, 50],
    ['is none after that', { RALPH_ITERATION: '2' }, 12_000, 0],
    ['is none where it is to be fast', { RALPH_ITERATION: '2', RALPH_DEMO_FAST: '1' }, 11_000, 0],
    ['is none outside of a demo', { RALPH_ITERATION: '2', RALPH_DEMO_STARTED: '' }, 11_000, 0],
  ])('%s', (_name, env, now, expected) => {
    expect(pauseMs({ RALPH_DEMO_STARTED: '9000', ...env }, 150, now)).toBe(expected)
  })
})
