import { filterPath, userEnvironment } from './clean-environment.ts'
import { userGit, type UserGit } from './user-configuration.ts'

/** The project as the user has it, before a run. */
export interface UserPlace {
  /** A real path. */
  readonly project: string
  /** Absolute, found outside the project. */
  readonly git: string
  /** The environment that the user started us with. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Projects on slow disks. */
const timeoutMs = 10 * 60_000

/**
 * The user's git before a run: their configuration and filters, but no hook, no monitor, and no program of the project's
 * for those filters, since an earlier agent may have written it.
 */
export function quietGit({ project, git, environment }: UserPlace): UserGit {
  const env = { ...userEnvironment(environment), PATH: filterPath(git, environment['PATH'] ?? '', project) }
  const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false']
  return userGit(git, project, env, { settings, timeoutMs })
}
