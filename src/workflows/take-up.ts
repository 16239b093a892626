import { err, ok, type Result } from '../base/result.ts'
import type { Answer, Steps } from '../loop/workflow.ts'
import type { Failure } from '../model/failure.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { readTasks, writeTasks } from '../tasks/read-tasks.ts'
import { requireReview } from '../tasks/runner-moves.ts'
import { commitWork } from './commit-work.ts'
import { look, tasksIn } from './look.ts'
import type { Before, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** What the open iteration of a killed process is judged against: its own snapshot, from the referee's repository. */
export async function takeUpIteration(ports: StoriesPorts, open: OpenIteration): Answer<Before> {
  const [list, packageJson] = await Promise.all([
    listIn(ports, open.tree),
    ports.referee.read(open.tree, 'package.json'),
  ])
  if (!list.ok) return list
  if (!packageJson.ok) return packageJson
  const base = { commit: open.base, tree: open.tree }
  return ok({ list: list.value, base, packageJson: packageJson.value?.toString('utf8') ?? null })
}

/** The list of a tree that was found legal. */
export async function listIn({ referee, options }: StoriesPorts, tree: string): Answer<TaskList> {
  const path = tasksIn(options.ralphDir)
  const bytes = await referee.read(tree, path)
  if (!bytes.ok) return bytes
  const list = readTasks(bytes.value?.toString('utf8') ?? '')
  return list.ok ? list : err({ reason: 'storage', doing: 'read the snapshot of', path, code: 'EINVAL' })
}

/**
 * What people left on the disk is the start. Their changes of the loop's own files are committed, and stories that passed
 * without a review are put up for one.
 */
export async function* takeUpProject(ports: StoriesPorts, memory: StoriesMemory, state: RunState): Steps {
  const { options } = ports
  const { iteration } = state
  const hasPending = state.stories.pending.length > 0
  const path = tasksIn(options.ralphDir)
  const list = readList(ports)
  if (!list.ok) return list
  const start = options.skipReview ? { list: list.value, moved: [] } : requireReview(list.value)
  if (start.moved.length > 0) {
    const written = ports.files.write(path, writeTasks(start.list))
    if (!written.ok) return written
    ports.remark(`Passed without a review, and reviewed first: ${start.moved.join(', ')}.`)
  }
  const seen = await look(ports, memory, { iteration, base: null, artefacts: state.stories.artefacts })
  if (!seen.ok) return seen
  const { view } = seen.value
  memory.branch = view.branch ?? memory.branch
  const commit = await commitWork(ports, memory, {
    seen: seen.value,
    iteration,
    // Moves of the runner's that were recorded are written and committed first.
    own: hasPending ? [] : view.uncommitted.filter((name) => isOfTheLoop(name, options.ralphDir)),
    message: 'ralph: the files of the loop, as it starts',
    leftOver: false,
  })
  if (!commit.ok) return commit
  memory.list = start.list
  memory.base = { commit: commit.value ?? view.head ?? ports.referee.baseline.commit, tree: view.tree }
  memory.before = { list: memory.list, base: memory.base, packageJson: null }
  if (commit.value !== null) {
    const what = start.moved.map((id) => `${id}: needs_review`)
    yield { kind: 'state.repaired', iteration, what, commit: commit.value, tree: view.tree }
  }
  return ok(undefined)
}

/** Files whose changes the runner commits at the start instead of refusing them. */
export const isOfTheLoop = (path: string, ralphDir: string): boolean =>
  path.startsWith(`${ralphDir}/`) || path.startsWith('.ralph/') || path === '.gitignore'

/** The list on the disk, while nobody is there who may not change it. */
export function readList(ports: StoriesPorts): Result<TaskList, Failure> {
  const path = tasksIn(ports.options.ralphDir)
  const seen = ports.files.read(path)
  if (seen.kind === 'missing') return err({ reason: 'missing-file', path, fix: 'Run "ralph init".' })
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path, why: seen.why })
  const read = readTasks(seen.text)
  if (read.ok) return read
  return err({ reason: 'invalid-tasks', path, problems: read.error.map(({ message }) => message) })
}
