import type { IterationMode } from '../model/story.ts'
import { credentialNames, harmlessNames, modelClouds, modelNames } from './credential-names.ts'
import { checkInfluenceNames, influenceNames, keptGitNames } from './influence-names.ts'
import { matchNames } from './name-patterns.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ChildEnvironmentRequest {
  /** Agents get what they log in with; checks run the agent's code and get no keys at all. */
  readonly kind: 'agent' | 'check'
  /** The user's. */
  readonly env: Environment
  /** PATH without the project's directories, from `trustedPath`; null in a box that has programs of its own. */
  readonly path: string | null
  /** The user's own words, which win: names, or patterns with `*`. A name wins over a pattern, `drop` over `pass`. */
  readonly pass: readonly string[]
  readonly drop: readonly string[]
  readonly ralph: RalphVariables
}

/** What every agent and check can know of the loop; null is left out. */
export interface RalphVariables {
  readonly runId: string
  readonly iteration: number
  readonly maxIterations: number
  readonly mode: IterationMode | null
  readonly story: string | null
  /** Relative to the project, as in the options. */
  readonly dir: string
  /** What it runs inside: `none` is no box. */
  readonly isolation: string
  /** Rules of the guard that the settings lift. */
  readonly guardAllow: readonly string[]
}

/** The user's environment as an agent or a check gets it. */
export function childEnvironment(request: ChildEnvironmentRequest): Record<string, string> {
  const { env, kind } = request
  const asked = userChoice(request)
  const ralph = ralphVariables(request.ralph)
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    // Those of an outer loop must not be taken for ours, also where we have none.
    if (value === undefined || Object.hasOwn(ralph, name)) continue
    if (asked(name) ?? (isKept(name, value, kind, env) && (request.path !== null || isOfUse(name, kind))))
      given[name] = value
  }
  for (const [name, value] of Object.entries(ralph)) if (value !== null) given[name] = value
  return request.path === null ? given : { ...given, PATH: request.path }
}

/** True: passed on; false: dropped; null: the user says nothing about it. */
function userChoice({ pass, drop }: ChildEnvironmentRequest): (name: string) => boolean | null {
  const isPattern = (name: string): boolean => name.includes('*')
  const isNamed = (name: string): boolean => !isPattern(name)
  const steps = [
    { match: matchNames(drop.filter(isNamed)), passed: false },
    { match: matchNames(pass.filter(isNamed)), passed: true },
    { match: matchNames(drop.filter(isPattern)), passed: false },
    { match: matchNames(pass.filter(isPattern)), passed: true },
  ]
  return (name) => steps.find(({ match }) => match(name))?.passed ?? null
}

const isInfluence = matchNames(influenceNames)
const isKeptGit = matchNames(keptGitNames)
const isCheckInfluence = matchNames(checkInfluenceNames)
const isCredential = matchNames(credentialNames)
const isHarmless = matchNames(harmlessNames)
const isModels = matchNames(modelNames)
const clouds = modelClouds.map(({ switches, names }) => ({ switches, match: matchNames(names) }))

function isKept(name: string, value: string, kind: 'agent' | 'check', env: Environment): boolean {
  if (isInfluence(name) && !isKeptGit(name)) return false
  if (kind === 'check') return !isCheckInfluence(name) && (!isCredential(name) || isHarmless(name))
  if (name === 'NODE_OPTIONS') return !loadsCode(value)
  return !isCredential(name) || isHarmless(name) || isModels(name) || isCloudOfModel(name, env)
}

/** Another machine has paths, programs and settings of its own; what an agent logs in with it has not. */
const isOfUse = (name: string, kind: 'agent' | 'check'): boolean =>
  isLanguage(name) || (kind === 'agent' && (isModels(name) || name.startsWith('CLOUD') || name.startsWith('AWS_')))
const isLanguage = matchNames(['LANG', 'LC_*', 'TZ', 'CI', 'NO_COLOR', 'FORCE_COLOR'])

function isCloudOfModel(name: string, env: Environment): boolean {
  return clouds.some(({ switches, match }) => match(name) && switches.some((key) => isOn(env[key])))
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase())

/** A memory limit is an agent's business; a module to load first may be a file that an earlier agent wrote. */
const loadsCode = (options: string): boolean =>
  /(?:^|\s)["']?(?:-r|--require|--import|--loader|--experimental-loader|--env-file)/.test(options)

function ralphVariables(ralph: RalphVariables): Readonly<Record<string, string | null>> {
  return {
    RALPH_RUN_ID: ralph.runId,
    RALPH_ITERATION: String(ralph.iteration),
    RALPH_MAX_ITERATIONS: String(ralph.maxIterations),
    RALPH_MODE: ralph.mode,
    RALPH_STORY: ralph.story,
    RALPH_DIR: ralph.dir,
    RALPH_ISOLATION: ralph.isolation,
    RALPH_GUARD_ALLOW: ralph.guardAllow.length === 0 ? null : ralph.guardAllow.join(','),
  }
}
