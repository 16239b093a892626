import { nearest } from '../base/nearest.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { TaskList } from '../model/story.ts'
import { readSmall } from '../store/read-small.ts'
import { writeInside } from '../store/write-inside.ts'
import { handMoves, handMoveWords, moveByHand, type HandMove } from '../tasks/hand-moves.ts'
import { brokenInvariants } from '../tasks/invariants.ts'
import { readTasks, writeTasks } from '../tasks/read-tasks.ts'
import { requireReview } from '../tasks/runner-moves.ts'
import { betweenRuns } from './between-runs.ts'
import type { ExitCode, Input, RunCommand } from './command.ts'
import { openProject, type Project } from './project.ts'
import { refuseInsideLoop } from './refuse-inside-loop.ts'
import { today } from './templates.ts'
import { openUserRepository, type UserRepository } from './user-repository.ts'

interface Request {
  readonly move: HandMove
  readonly id: string
  readonly reason: string
}

/** A person's legal edit of the list: one story, with a reason, in a commit. */
export const story: RunCommand = async (input) => {
  const { args, options, cwd, env } = input
  const allowed = refuseInsideLoop(env)
  if (!allowed.ok) return allowed
  const request = understandRequest(args, options['reason'])
  if (!request.ok) return request
  const project = openProject({ cwd, env, projectDir: options['projectDir'], ralphDir: options['ralphDir'] })
  if (!project.ok) return project
  return betweenRuns(project.value, {
    look: () => findStory(project.value, request.value, env),
    act: (found) => changeStory(project.value, { ...request.value, ...found }, input),
  })
}

function understandRequest(args: readonly string[], given: unknown): Result<Request, Failure> {
  const [action = '', id = ''] = args
  const move = handMoves.find((name) => name === action)
  if (move === undefined) {
    return usage(
      `"${visibleLine(action, 40)}" is nothing that can be done to a story.`,
      `Write approve, reopen or unblock; the nearest is "ralph story ${nearest(action, handMoves) ?? ''}".`,
    )
  }
  const reason = typeof given === 'string' ? visibleLine(given.replaceAll(/\s+/g, ' ').trim(), 500) : ''
  if (reason === '') {
    const line = `ralph story ${move} ${visibleLine(id, 64)} --reason "…"`
    return usage(`Why do you ${move} this story? It is kept in its notes.`, `Say it: ${line}`)
  }
  return ok({ move, id, reason })
}

interface Found {
  readonly repository: UserRepository
  /** The list, relative to the project. */
  readonly path: string
  readonly list: TaskList
  readonly text: string
}

async function findStory(
  { root, ralphDir }: Project,
  { id }: Request,
  env: Input['env'],
): Promise<Result<Found, Failure>> {
  const repository = await openUserRepository(root, env)
  if (!repository.ok) return repository
  const path = `${ralphDir}/tasks.json`
  const read = readList(root, path)
  if (!read.ok) return read
  const { list, text } = read.value
  const ids = list.userStories.map((story) => story.id)
  if (!ids.includes(id)) {
    return usage(
      `There is no story "${visibleLine(id, 64)}" in ${path}.`,
      ids.length === 0 ? 'The list is empty.' : `The nearest is "${nearest(id, ids) ?? ''}".`,
    )
  }
  return ok({ repository: repository.value, path, list, text })
}

async function changeStory(
  { root }: Project,
  { move, id, reason, repository, path, list, text }: Request & Found,
  { output }: Input,
): Promise<Result<ExitCode, Failure>> {
  const moved = moveByHand(list, id, move, `[${today()}] ${handMoveWords[move]} by hand: ${reason}`)
  if (moved === null) {
    output.line(`Nothing to do: ${id} is ${nothingToDo[move]}.`)
    return ok(0)
  }
  const after = writeTasks(moved)
  const valid = ensureValid(path, after)
  if (!valid.ok) return valid
  const written = writeInside(root, path, Buffer.from(after))
  if (!written.ok) return written
  const message = `ralph: ${move} ${id} by hand: ${reason}`
  const committed = await repository.commit({ paths: [path], message, as: 'user' })
  if (!committed.ok) {
    // An edit that is in no commit would be taken for somebody else's.
    writeInside(root, path, Buffer.from(text))
    return committed
  }
  output.line(`${handMoveWords[move]} ${id}. ${next[move]}`)
  if (committed.value.commit === null) output.remark(`It is in no commit: git ignores ${path}.`)
  if (repository.branch !== list.branchName) {
    output.remark(`This was on the branch ${repository.branch}; a loop works on ${list.branchName}.`)
  }
  return ok(0)
}

const nothingToDo: Readonly<Record<HandMove, string>> = {
  approve: 'approved already',
  reopen: 'open already',
  unblock: 'not blocked',
}

const next: Readonly<Record<HandMove, string>> = {
  approve: 'Its checks still have to pass at the end of a run.',
  reopen: 'The next run implements it again.',
  unblock: 'The next run goes on with it.',
}

function readList(root: string, path: string): Result<{ readonly list: TaskList; readonly text: string }, Failure> {
  const seen = readSmall(root, path)
  if (seen.kind === 'missing') {
    return err({ reason: 'missing-file', path, fix: 'Give --project-dir the project, or create it with "ralph init".' })
  }
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
  const read = readTasks(seen.text)
  return read.ok
    ? ok({ list: read.value, text: seen.text })
    : err({ reason: 'invalid-tasks', path, problems: read.error.map(({ message }) => message) })
}

/** As a run would see it: a story that passed without review is nothing wrong. */
function ensureValid(path: string, text: string): Result<void, Failure> {
  const read = readTasks(text)
  const problems = read.ok ? brokenInvariants(requireReview(read.value).list, { skipReview: false }) : read.error
  return problems.length === 0
    ? ok(undefined)
    : err({ reason: 'invalid-tasks', path, problems: problems.map(({ message }) => message) })
}

const usage = (message: string, fix: string): Result<never, Failure> => err({ reason: 'usage', message, fix })
