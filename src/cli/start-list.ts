import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { SeenFile } from '../model/observation.ts'
import type { TaskList } from '../model/story.ts'
import { readSmall } from '../store/read-small.ts'
import { isUntouched } from '../tasks/is-untouched.ts'
import { brokenInvariants } from '../tasks/invariants.ts'
import { parseList, readTasks } from '../tasks/read-tasks.ts'
import { requireReview } from '../tasks/runner-moves.ts'
import { ensureRalphDirectory, type Project } from './project.ts'

/** A list that a loop can start from. */
export interface StartList {
  readonly list: TaskList
  /** Stories that passed in a run without review: this one reviews them first. */
  readonly toReview: readonly string[]
}

/** The requirements are there, the list is valid and somebody has written it; else everything that is wrong. */
export function readStartList(
  { root, ralphDir }: Pick<Project, 'root' | 'ralphDir'>,
  { skipReview }: { readonly skipReview: boolean },
): Result<StartList, Failure> {
  const directory = ensureRalphDirectory({ root, ralphDir })
  if (!directory.ok) return directory
  const requirementsPath = `${ralphDir}/prd.md`
  const requirements = readSmall(root, requirementsPath)
  if (requirements.kind !== 'text') return err(trouble(requirements, requirementsPath))
  const path = `${ralphDir}/tasks.json`
  const tasks = readSmall(root, path)
  if (tasks.kind !== 'text') return err(trouble(tasks, path))
  const invalid = (problems: readonly string[]) => err<Failure>({ reason: 'invalid-tasks', path, problems })
  const document = parseList(tasks.text)
  if (document.ok && isUntouched(document.value)) {
    return invalid([`No story is written yet: run /ralph-plan or edit ${path}.`])
  }
  const read = readTasks(tasks.text)
  if (!read.ok) return invalid(read.error.map(({ message }) => message))
  const start = skipReview ? { list: read.value, moved: [] } : requireReview(read.value)
  const broken = brokenInvariants(start.list, { skipReview })
  if (broken.length > 0) return invalid(broken.map(({ message }) => message))
  return ok({ list: start.list, toReview: start.moved })
}

/** The branch of the list, if it can be read that far. */
export function branchOf({ root, ralphDir }: Pick<Project, 'root' | 'ralphDir'>): string | null {
  const tasks = readSmall(root, `${ralphDir}/tasks.json`)
  const list = tasks.kind === 'text' ? parseList(tasks.text) : null
  const name = list?.ok === true ? list.value['branchName'] : null
  return typeof name === 'string' ? name : null
}

function trouble(seen: Exclude<SeenFile, { kind: 'text' }>, path: string): Failure {
  return seen.kind === 'missing'
    ? { reason: 'missing-file', path, fix: 'Run "ralph init" to create it, or give --project-dir or --ralph-dir.' }
    : { reason: 'unsafe-file', path, why: seen.why }
}
