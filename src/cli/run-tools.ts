import { ok, type Result } from '../base/result.ts'
import { backends } from '../isolation/backends.ts'
import { chooseIsolation, type ChosenIsolation } from '../isolation/choose-isolation.ts'
import type { Isolation } from '../isolation/isolation.ts'
import type { Failure } from '../model/failure.ts'
import { findProgram, trustedPath } from '../process/find-program.ts'
import { findShell } from '../process/find-shell.ts'
import { redactText } from '../process/redactor.ts'
import { secretValues } from '../process/secret-values.ts'
import type { RunOptions } from '../settings/run-options.ts'
import type { Project } from './project.ts'
import { refuseBadVersions } from './refuse-bad-versions.ts'
import { findAgents, type FoundAgents } from './run-agents.ts'
import { siteOf } from './site-of.ts'

/** The programs that a run needs, by absolute paths outside of the project. */
export interface RunTools {
  readonly git: string
  /** For checks, as they find it where they run. */
  readonly shell: string
  /** PATH without the project's directories. */
  readonly path: string
  readonly isolation: Isolation
  readonly passedOver: ChosenIsolation['passedOver']
  readonly agents: FoundAgents
  /** Takes the user's keys out of a text. */
  readonly redact: (text: string) => string
}

export async function findTools(
  project: Project,
  options: RunOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<RunTools, Failure>> {
  const places = { path: env['PATH'] ?? '', forbiddenRoot: project.root }
  const git = findProgram('git', places)
  if (!git.ok) return git
  const shell = findShell(places)
  if (!shell.ok) return shell
  const secrets = secretValues(env)
  const wanted = { backend: options.isolation, required: options.requireSandbox }
  const chosen = await chooseIsolation(wanted, backends, siteOf(project, env, secrets))
  if (!chosen.ok) return chosen
  const { isolation, passedOver } = chosen.value
  const agents = findAgents(options, { places, isolation, isRoot: isRootOutside(env) })
  if (!agents.ok) return agents
  const path = trustedPath(places)
  if (isolation.programs === 'host') {
    const versions = await refuseBadVersions(agents.value, { PATH: path, HOME: env['HOME'] ?? '/' })
    if (!versions.ok) return versions
  }
  return ok({
    git: git.value,
    shell: isolation.programs === 'host' ? shell.value : '/bin/bash',
    path,
    isolation,
    passedOver,
    agents: agents.value,
    redact: redactText(secrets),
  })
}

/** Root, and not of a sandbox around all of this: a user who says so has one. */
export const isRootOutside = (env: Readonly<Record<string, string | undefined>>): boolean =>
  process.getuid?.() === 0 && env['IS_SANDBOX'] !== '1'
