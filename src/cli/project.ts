import { lstatSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import { projectPaths, type ProjectPaths } from '../journal/project-state.ts'
import { stateDirectory } from '../journal/state-directory.ts'
import type { Failure } from '../model/failure.ts'
import { attempt, errnoOf } from '../store/attempt.ts'
import type { Input, OptionValue } from './command.ts'
import { userHome } from './user-home.ts'

/** The directory that a command is about. Nothing in it was looked at and nothing was made. */
export interface Project {
  /** Real path: the project itself may be reached through a link, what is in it may not. */
  readonly root: string
  /** Where prd.md and tasks.json are, relative to the root, with `/`. */
  readonly ralphDir: string
  /** Where its lock and journals are; they need not exist. */
  readonly state: ProjectPaths
}

/** `--project-dir` and `--ralph-dir` as they were given, or not. */
export interface ProjectInput extends Pick<Input, 'cwd' | 'env'> {
  readonly projectDir?: OptionValue | undefined
  /** Relative to the project. */
  readonly ralphDir?: OptionValue | undefined
}

/** Whether it is a git repository is for `ensureProject` to say: looking needs none. */
export function openProject({ cwd, env, projectDir, ralphDir }: ProjectInput): Result<Project, Failure> {
  const given = resolve(cwd, String(projectDir ?? '.'))
  const root = realDirectory(given)
  if (!root.ok) return root
  const inside = insideProject([given, root.value], String(ralphDir ?? 'ralph'))
  if (inside === null) {
    return err({
      reason: 'usage',
      message: 'The ralph directory must lie in the project.',
      fix: 'Give --ralph-dir a directory inside of it.',
    })
  }
  const state = stateDirectory(root.value, { env, home: userHome(env) })
  return state.ok ? ok({ root: root.value, ralphDir: inside, state: projectPaths(state.value) }) : state
}

/** The directory of the loop may be missing, but nothing else may be in its place. */
export function ensureRalphDirectory({ root, ralphDir }: Pick<Project, 'root' | 'ralphDir'>): Result<void, Failure> {
  const path = join(root, ralphDir)
  const seen = attempt('look at', path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!seen.ok) return seen
  if (seen.value === undefined || seen.value.isDirectory()) return ok(undefined)
  const what = seen.value.isSymbolicLink() ? 'a link, which is not followed' : 'not a directory'
  return err({
    reason: 'usage',
    message: `${visibleLine(ralphDir)} is ${what}.`,
    fix: 'Move it out of the way, or choose another directory with --ralph-dir.',
  })
}

function realDirectory(path: string): Result<string, Failure> {
  try {
    const real = realpathSync.native(path)
    if (statSync(real).isDirectory()) return ok(real)
    return err({
      reason: 'usage',
      message: `${visibleLine(path)} is not a directory.`,
      fix: 'Give --project-dir the directory of a project.',
    })
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return err({ reason: 'storage', doing: 'find', path, code })
    return err({ reason: 'missing-file', path, fix: 'Give --project-dir a directory that exists.' })
  }
}

/** A path may be written from the project as it was named or as it is; null if it leads out of both, or into `.git`. */
function insideProject(roots: readonly string[], path: string): string | null {
  for (const root of roots) {
    const way = relative(root, resolve(root, path))
    const [first = ''] = way.split(sep)
    if (first !== '' && first !== '..' && !isAbsolute(way) && first.toLowerCase() !== '.git') {
      return way.split(sep).join('/')
    }
  }
  return null
}
