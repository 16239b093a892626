import { accessSync, constants } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import { isDemoList } from '../demo/project.ts'
import { ensureProject } from '../git/ensure-project.ts'
import { userEnvironment } from '../git/clean-environment.ts'
import { findDirty, type DirtyPath } from '../git/find-dirty.ts'
import { userGit } from '../git/user-configuration.ts'
import type { Failure } from '../model/failure.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { attempt } from '../store/attempt.ts'
import { isArtefact } from '../workflows/artefacts.ts'
import { isOfTheLoop } from '../workflows/take-up.ts'
import type { Project } from './project.ts'
import { readStartList, type StartList } from './start-list.ts'

/** A project that a run can start in. */
export interface Ready extends StartList {
  /** The branch that HEAD is on. */
  readonly branch: string
  /** Paths that were dirty and that the user wants left alone. */
  readonly dirtyPaths: readonly string[]
  /** What checks of an earlier run have made and is still there. */
  readonly artefacts: readonly string[]
}

interface Surroundings {
  readonly git: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the checks of the run before have made: nobody's changes. */
  readonly artefacts: readonly string[]
}

/** Everything that must hold before the first iteration. Changes nothing. */
export async function preflight(
  project: Project,
  options: RunOptions,
  { git, env, artefacts }: Surroundings,
): Promise<Result<Ready, Failure>> {
  const environment = userEnvironment(env)
  const found = await ensureProject(project.root, userGit(git, project.root, environment), environment)
  if (!found.ok) return found
  const { gitDir, commonDir } = found.value.layout
  for (const directory of new Set([project.root, gitDir, commonDir])) {
    const writable = attempt('write to', directory, () => accessSync(directory, constants.W_OK))
    if (!writable.ok) return writable
  }
  const start = readStartList(project, options)
  if (!start.ok) return start
  const { list } = start.value
  if (options.story !== null && !list.userStories.some(({ id }) => id === options.story)) {
    const known = list.userStories.map(({ id }) => id)
    const some = known.length > 8 ? `${known.slice(0, 8).join(', ')} …` : known.join(', ')
    return usage(`There is no story "${visibleLine(options.story, 64)}" in the list.`, `It has ${some}.`)
  }
  if (Object.values(options.agents).some(({ name }) => name === 'script') && !isDemoList(list)) {
    return usage(
      'The agent "script" plays the demo and knows no other project.',
      'Run "ralph demo", or choose another agent.',
    )
  }
  const dirty = await findDirty({ project: project.root, git, environment })
  if (!dirty.ok) return dirty
  const isMade = ({ path, isUntracked }: DirtyPath): boolean => isUntracked && isArtefact(path, artefacts)
  const made = dirty.value.filter(isMade).map(({ path }) => path)
  const others = dirty.value
    .filter((found) => !isOfTheLoop(found.path, options.ralphDir) && !isMade(found))
    .map(({ path }) => path)
  if (others.length > 0 && !options.allowDirty) {
    const some = others.slice(0, 5).map((path) => visibleLine(path, 80))
    const more = others.length > 5 ? ` and ${others.length - 5} more` : ''
    return usage(
      `There are uncommitted changes: ${some.join(', ')}${more}.`,
      'Commit or stash them, or give --allow-dirty: then these paths are left out of every judgement.',
    )
  }
  return ok({
    ...start.value,
    branch: found.value.branch,
    dirtyPaths: others,
    artefacts: artefacts.filter((name) => made.some((path) => isArtefact(path, [name]))),
  })
}

const usage = (message: string, fix: string): Result<never, Failure> => err({ reason: 'usage', message, fix })
