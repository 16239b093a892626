import { ok, type Result } from '../base/result.ts'
import type { Isolation } from '../isolation/isolation.ts'
import { directIsolation } from '../isolation/none.ts'
import type { Failure } from '../model/failure.ts'
import { findProgram, trustedPath } from '../process/find-program.ts'
import { findShell } from '../process/find-shell.ts'
import { probeContainment } from '../process/probe-containment.ts'
import { redactText } from '../process/redactor.ts'
import { secretValues } from '../process/secret-values.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { refuseBadVersions } from './refuse-bad-versions.ts'
import { findAgents, type FoundAgents } from './run-agents.ts'

/** The programs that a run needs, by absolute paths outside of the project. */
export interface RunTools {
  readonly git: string
  readonly shell: string
  /** PATH without the project's directories. */
  readonly path: string
  readonly isolation: Isolation
  readonly agents: FoundAgents
  /** Takes the user's keys out of a text. */
  readonly redact: (text: string) => string
}

export async function findTools(
  root: string,
  options: RunOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<RunTools, Failure>> {
  const places = { path: env['PATH'] ?? '', forbiddenRoot: root }
  const git = findProgram('git', places)
  if (!git.ok) return git
  const shell = findShell(places)
  if (!shell.ok) return shell
  const secrets = secretValues(env)
  const isolation = directIsolation({ containment: await probeContainment(places), secrets })
  const agents = findAgents(options, { places, isolation, isRoot: isRootOutside(env) })
  if (!agents.ok) return agents
  const path = trustedPath(places)
  const versions = await refuseBadVersions(agents.value, { PATH: path, HOME: env['HOME'] ?? '/' })
  if (!versions.ok) return versions
  return ok({
    git: git.value,
    shell: shell.value,
    path,
    isolation,
    agents: agents.value,
    redact: redactText(secrets),
  })
}

/** Root, and not of a sandbox around all of this: a user who says so has one. */
export const isRootOutside = (env: Readonly<Record<string, string | undefined>>): boolean =>
  process.getuid?.() === 0 && env['IS_SANDBOX'] !== '1'
