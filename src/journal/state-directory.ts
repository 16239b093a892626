import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { attempt, errnoOf } from '../store/attempt.ts'
import { stateNameOf, stateRootIn } from '../store/state-path.ts'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** `$RALPH_STATE_DIR`, else `$XDG_STATE_HOME/ralph`, else `~/.local/state/ralph`. */
export function stateRoot({ env, home }: Surroundings): Result<string, Failure> {
  const own = env['RALPH_STATE_DIR'] ?? ''
  if (own !== '' && !isAbsolute(own)) return notAbsolute('RALPH_STATE_DIR', own)
  if (!isAbsolute(home)) return notAbsolute('HOME', home)
  return ok(stateRootIn(env, home))
}

function notAbsolute(variable: string, value: string): Result<never, Failure> {
  return err({
    reason: 'usage',
    message: `${variable} is not an absolute path: ${JSON.stringify(value)}.`,
    fix: 'Give it as a path that begins with "/", or unset it.',
  })
}

/**
 * Where the state of a project lives: `<root>/<name>-<hash of its real path>`. Makes nothing. Refuses a project in which
 * the agent could write the state, or that is no project at all.
 */
export function stateDirectory(project: string, surroundings: Surroundings): Result<string, Failure> {
  const given = stateRoot(surroundings)
  if (!given.ok) return given
  const real = attempt('find', project, () => realpathSync.native(project))
  if (!real.ok) return real
  const root = attempt('find', given.value, () => futureDirectory(given.value))
  if (!root.ok) return root
  if (root.value === null) return fileInTheWay(given.value)
  const home = attempt('find', surroundings.home, () => futureRealPath(surroundings.home))
  if (!home.ok) return home
  const why = whyUnsafe(real.value, root.value, home.value)
  if (why !== null) return err({ reason: 'unsafe-project', path: real.value, why })
  return ok(join(root.value, stateNameOf(real.value, sha256)))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function fileInTheWay(path: string): Result<never, Failure> {
  return err({
    reason: 'usage',
    message: `${visibleLine(path)} cannot be the state directory: it is no directory, or lies in none.`,
    fix: 'Name another with RALPH_STATE_DIR.',
  })
}

function whyUnsafe(project: string, root: string, home: string): string | null {
  if (dirname(project) === project) return 'it is the root of the file system'
  if (project === home) return 'it is your home directory'
  if (contains(project, home)) return 'it contains your home directory'
  if (contains(project, root)) return `it contains the state directory ${root}`
  return contains(root, project) ? `it lies in the state directory ${root}` : null
}

/** Whether `inner` is `outer` or below it; both real paths. */
function contains(outer: string, inner: string): boolean {
  const way = relative(outer, inner)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The real path that a directory will have once it is made: links on the way to it count. Null if a file is in the way. */
function futureDirectory(path: string): string | null {
  try {
    const real = futureRealPath(path)
    return statSync(real, { throwIfNoEntry: false })?.isDirectory() === false ? null : real
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return null
    throw error
  }
}

function futureRealPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw error
    return join(futureRealPath(dirname(path)), basename(path))
  }
}
