import { ok } from '../base/result.ts'
import type { Base } from '../git/observe.ts'
import type { Answer, Steps } from '../loop/workflow.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import { writeTasks } from '../tasks/read-tasks.ts'
import { requireReview } from '../tasks/runner-moves.ts'
import { commitWork } from './commit-work.ts'
import { returnToJudged } from './compare-again.ts'
import { look, tasksIn } from './look.ts'
import { nameViolations } from './name-violations.ts'
import { listIn, readList } from './read-list.ts'
import { rulesFor } from './rules-for.ts'
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

/**
 * A completion was cut off while its checks ran: what they did is undone, and what they made is nobody's work. Then it begins
 * anew.
 */
export async function* takeUpCompletion(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { state, judged }: { readonly state: RunState; readonly judged: Base },
): Steps {
  const { iteration, stories } = state
  const list = await listIn(ports, judged.tree)
  if (!list.ok) return list
  memory.list = list.value
  memory.base = judged
  memory.before = { list: list.value, base: judged, packageJson: null }
  const rules = rulesFor(ports, memory, { story: null, mode: null, outcome: null })
  const { artefacts } = stories
  const checksSince = Date.parse(state.lastIterationAt ?? state.startedAt)
  const compared = yield* returnToJudged(ports, memory, { iteration, judged, rules, artefacts, checksSince })
  if (!compared.ok) return compared
  // Nobody is blamed: a check that does what it may not will do it again.
  for (const { message } of nameViolations(compared.value.violations).violations) ports.remark(`Put back: ${message}`)
  if (compared.value.artefacts.length > 0) {
    yield { kind: 'stories.moved', iteration, moves: [], artefacts: compared.value.artefacts, violations: [] }
  }
  return ok(undefined)
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
