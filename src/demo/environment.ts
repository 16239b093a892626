import { delimiter, dirname } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Who commits in the demo; the user's own identity is neither needed nor used. */
const identity = { name: 'Ralph Demo', email: 'demo@ralph.invalid' }

/** Set to 1, the scripted agent does not pause. */
const fastVariable = 'RALPH_DEMO_FAST'
/** When the demo began (ms since the epoch). */
const startVariable = 'RALPH_DEMO_STARTED'
/** What one iteration may take with its pauses: a machine that needs longer for the work gets none, and ends in time. */
const iterationMs = 1100

export interface DemoSettings {
  readonly stateDir: string
  /** An absolute path where nothing is: git looks there for ignore files of the user's. */
  readonly configHome: string
  /** The node that runs this: checks that say `node` get it too. */
  readonly node: string
  readonly startedMs: number
}

/**
 * The user's environment for a whole demo, without what names another repository or loop, and without what could make
 * git, node or Ralph behave otherwise than on any machine.
 */
export function demoEnvironment(env: Environment, settings: DemoSettings): Record<string, string> {
  const kept = Object.entries(agentEnvironment(env)).filter(
    ([name]) => !name.startsWith('RALPH_') || name === fastVariable,
  )
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(settings.node), env['PATH'] ?? ''].filter((entry) => entry !== '').join(delimiter),
    XDG_CONFIG_HOME: settings.configHome,
    RALPH_STATE_DIR: settings.stateDir,
    [startVariable]: String(settings.startedMs),
  }
}

/** For what the scripted agent starts: with the run's own variables, by which the runner finds everything of a run. */
export function agentEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      // NODE_TEST_CONTEXT would make `node --test` talk to another test run, NODE_EXTRA_CA_CERTS makes every start slow.
      entry[1] !== undefined && !entry[0].startsWith('GIT_') && !entry[0].startsWith('NODE_'),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  }
}

/** How long the agent may pause after a step, so that a person can follow; 0 where nobody watches. */
export function pauseMs(env: Environment, wantedMs: number, nowMs: number): number {
  const started = env[startVariable] ?? ''
  if (started === '' || (env[fastVariable] ?? '') !== '') return 0
  const until = Number(started) + Number(env['RALPH_ITERATION'] ?? '') * iterationMs
  return Math.max(0, Math.min(wantedMs, until - nowMs))
}
