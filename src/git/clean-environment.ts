import { dirname } from 'node:path'
import { runIdVariable } from '../process/end-tree.ts'
import { trustedPath } from '../process/find-program.ts'

type Environment = Readonly<Record<string, string>>

/** Where the referee keeps its own things. */
export interface RefereePlace {
  readonly runId: string
  /** Absolute, found at the start outside the project. */
  readonly git: string
  /** The real path of the work tree. */
  readonly project: string
  readonly stateDir: string
  /** In the state directory, emptied at every start: a killed runner leaves its drafts here. */
  readonly scratch: string
  /** `referee.git` in the state directory. */
  readonly repository: string
  /** The referee's index of the work tree: no flag that an agent sets in its own can hide a change from it. */
  readonly index: string
  /** PATH for the user's filters, without what lies in the project. */
  readonly path: string
}

/** Nothing of the caller's environment, no configuration but the referee's own, no way to fetch or ask for anything. */
export function cleanEnvironment(place: RefereePlace, index = place.index): Environment {
  return {
    // A git that outlives a killed runner is ended by the next one, like an agent: it must not write beside it.
    [runIdVariable]: place.runId,
    PATH: place.path,
    HOME: `${place.stateDir}/empty-home`,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_CEILING_DIRECTORIES: place.stateDir,
    GIT_INDEX_FILE: index,
  }
}

/**
 * The user's environment for the two moments that are theirs: the first look, before any agent ran, and a push to their
 * remote. Without the GIT_ variables that a hook or alias leaves to what it starts, which would name another repository.
 */
export function userEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'])
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith('GIT_') || kept.has(entry[0])),
  )
  return { ...Object.fromEntries(entries), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' }
}

/** git's own directory first, then the user's PATH without what an agent could fill. */
export function filterPath(git: string, userPath: string, project: string): string {
  return [dirname(git), trustedPath({ path: userPath, forbiddenRoot: project }), '/usr/bin', '/bin']
    .filter((entry) => entry !== '')
    .join(':')
}
