import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, parse, resolve, sep } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'

export interface SearchPlaces {
  /** The value of PATH. */
  readonly path: string
  /** The project: what is in it, or reached through it, is the agent's. Null only where there is no project. */
  readonly forbiddenRoot: string | null
}

/**
 * The absolute path of a program, or of one that is named by an absolute path. `npm run` and `npx` put the project's
 * `node_modules/.bin` first on PATH, so the nearest `git` may be one that the agent wrote.
 */
export function findProgram(
  name: string,
  places: SearchPlaces,
): Result<string, Extract<Failure, { reason: 'program-not-found' }>> {
  let refused: string | null = null
  for (const candidate of candidates(name, places.path)) {
    if (!isExecutableFile(candidate)) continue
    if (!leadsInto(candidate, places.forbiddenRoot)) return ok(candidate)
    refused ??= candidate
  }
  return err({ reason: 'program-not-found', program: name, fix: fixFor(name, refused) })
}

/** PATH without what the agent could fill: relative entries, and directories in the project or reached through it. */
export function trustedPath(places: SearchPlaces): string {
  return places.path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !leadsInto(entry, places.forbiddenRoot))
    .join(delimiter)
}

function candidates(name: string, path: string): string[] {
  if (name.includes('\0')) return []
  if (isAbsolute(name)) return [name]
  // A relative path with a separator would depend on the working directory, which is the project.
  if (name === '' || name.includes('/') || name.includes(sep)) return []
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .map((entry) => join(entry, name))
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (isErrno(error)) return false
    throw error
  }
}

/** True if the path, or any link on the way to what it stands for, lies in the root: a link there can be turned later. */
export function leadsInto(path: string, root: string | null): boolean {
  if (root === null) return false
  const roots = [resolve(root), realpathOr(root)]
  return linksOnTheWay(path).some((step) => roots.some((root) => isWithin(step, root)))
}

/**
 * Every path that the kernel passes while it resolves this one, the real one last. Component by component, because
 * `link/..` is not where the text says.
 */
function linksOnTheWay(path: string): string[] {
  const { root } = parse(path)
  const steps = [path]
  let current = root
  const rest = path.slice(root.length).split(sep).toReversed()
  // The kernel gives up after 40 links.
  for (let links = 0; links <= 40;) {
    const name = rest.pop()
    if (name === undefined) break
    const next = join(current, name)
    const target = name === '..' || name === '' ? null : linkTarget(next)
    if (target === null) {
      current = next
    } else {
      links++
      steps.push(next)
      if (isAbsolute(target)) current = root
      rest.push(...target.split(sep).toReversed())
    }
    steps.push(current)
  }
  return steps
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch (error) {
    if (isErrno(error)) return null
    throw error
  }
}

function realpathOr(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (isErrno(error)) return resolve(path)
    throw error
  }
}

const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error

function fixFor(name: string, refused: string | null): string {
  if (refused !== null) {
    return `${refused} is inside the project, where an agent can change it: install "${name}" outside and put that directory on PATH.`
  }
  if (!isAbsolute(name) && name.includes('/')) return 'Give it by its name on PATH or by an absolute path.'
  return isAbsolute(name)
    ? 'Check that this file exists and is executable.'
    : `Install "${name}", or add the directory it is in to PATH.`
}
