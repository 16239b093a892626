import { err, ok } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import type { Answer, Steps } from '../loop/workflow.ts'
import type { MovedStory } from '../model/event.ts'
import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { readTasks, writeTasks } from '../tasks/read-tasks.ts'
import { approveAtCap, rejectForChecks, reopenForChecks, resubmit } from '../tasks/runner-moves.ts'
import { checkFeedback } from './check-feedback.ts'
import { commitWork } from './commit-work.ts'
import { look, tasksIn } from './look.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** Writes the runner's own moves into the list and commits it. Doing it twice is doing it once. */
export async function* applyMoves(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { moves, state }: { readonly moves: readonly MovedStory[]; readonly state: RunState },
): Steps {
  const path = tasksIn(ports.options.ralphDir)
  const seen = ports.files.read(path)
  const read = seen.kind === 'text' ? readTasks(seen.text) : null
  // Nobody but the runner has been here since this list was found legal.
  if (read === null || !read.ok)
    return err({ reason: 'unsafe-file', path, why: 'it changed while no agent was running' })
  const before = new Map(memory.before.list.userStories.map((story) => [story.id, story.reviewCount]))
  const list = moves.reduce((changed, move) => moveStory(changed, move, { ports, state, before }), read.value)
  const written = await writeList(ports, memory, { list, message: messageFor(moves), state })
  if (!written.ok) return written
  const what = moves.map(({ story, to }) => `wrote ${story} as ${to} into the list`)
  yield { kind: 'state.repaired', iteration: state.iteration, what, ...written.value }
  return ok(undefined)
}

interface Circumstances {
  readonly ports: StoriesPorts
  readonly state: RunState
  /** How often each story had been reviewed before the iteration. */
  readonly before: ReadonlyMap<string, number>
}

function moveStory(list: TaskList, { story, to }: MovedStory, { ports, state, before }: Circumstances): TaskList {
  switch (to) {
    case 'changes_requested':
      return rejectForChecks(
        list,
        story,
        checkFeedback(state, (check) => ports.recall(check)),
      )
    case 'reopened':
      return reopenForChecks(list, story)
    case 'approved_at_cap':
      return approveAtCap(list, story)
    case 'needs_review':
      return resubmit(list, story, before.get(story) ?? 0)
    case 'approved':
    case 'passed_unreviewed':
      // Never the runner's own.
      return list
    default:
      return unreachable(to)
  }
}

const messageFor = (moves: readonly MovedStory[]): string =>
  `ralph: ${moves.map(({ story, to }) => `${story} ${to.replaceAll('_', ' ')}`).join(', ')}`

interface NewList {
  readonly list: TaskList
  readonly message: string
  readonly state: RunState
}

/** The new list on the disk and on the branch. The commit is null where git does not track the list, or had it already. */
async function writeList(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { list, message, state }: NewList,
): Answer<{ readonly commit: string | null; readonly tree: string }> {
  const path = tasksIn(ports.options.ralphDir)
  const written = ports.files.write(path, writeTasks(list))
  if (!written.ok) return written
  memory.list = list
  const { iteration, open } = state
  const { artefacts } = state.stories
  const seen = await look(ports, memory, { iteration, base: memory.before.base, artefacts })
  if (!seen.ok) return seen
  const made = await commitWork(ports, memory, { seen: seen.value, iteration, own: [path], message, leftOver: false })
  if (!made.ok) return made
  const { tree, head } = seen.value.view
  // Between iterations this is what the next one starts from; within one its end will be.
  if (open === null) memory.base = { commit: made.value ?? head ?? memory.base.commit, tree }
  return ok({ commit: made.value, tree })
}
