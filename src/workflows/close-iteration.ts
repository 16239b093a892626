import { ok, type Result } from '../base/result.ts'
import type { Answer, Closing } from '../loop/workflow.ts'
import type { Failure } from '../model/failure.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import { isArtefact } from './artefacts.ts'
import { look } from './look.ts'
import type { Seen, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** An empty answer is asked for so many times more. */
const maxEmptyRetries = 3

/** What the iteration came to. From here on its end is what the next one is judged against. */
export async function closeIteration(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { open, state }: { readonly open: OpenIteration; readonly state: RunState },
): Answer<Closing> {
  const looking = { iteration: open.iteration, base: memory.before.base, artefacts: state.stories.artefacts }
  const seen: Result<Seen, Failure> = memory.seen === null ? await look(ports, memory, looking) : ok(memory.seen)
  if (!seen.ok) return seen
  const { view } = seen.value
  const head = view.head ?? open.base
  const commits = head === open.base ? ok([]) : await ports.referee.commitsSince(open.base, head)
  if (!commits.ok) return commits
  memory.base = { commit: head, tree: view.tree }
  memory.marker = null
  const changed = head === open.base ? await differs(ports, open, { view, state }) : ok(true)
  if (!changed.ok) return changed
  const error = errorOf(open, changed.value)
  const counted = error === null ? isCounted(open, changed.value, state.retries) : !isFatal(open)
  const gaveUp =
    open.outcome === 'empty' && !changed.value && counted ? 'the agent answered nothing, four times in a row' : null
  return ok({ changed: changed.value, commits: commits.value, error: error ?? gaveUp, counted })
}

/** Whether anything is not as it was, also where git tracks none of it; the last look may have compared with later states. */
async function differs(
  ports: StoriesPorts,
  open: OpenIteration,
  { view, state }: { readonly view: Seen['view']; readonly state: RunState },
): Answer<boolean> {
  if (view.tree === open.tree) return ok(false)
  const changes = await ports.referee.changes(open.tree, view.tree)
  if (!changes.ok) return changes
  const isOthers = (path: string) => ports.dirtyPaths.includes(path) || isArtefact(path, state.stories.artefacts)
  return ok(changes.value.some(({ path }) => !isOthers(path)))
}

/** Why it counts as an error: a run that failed, nothing but illegal work, a review without a verdict. A legal move is none. */
function errorOf({ moves, outcome, verdict, mode, message }: OpenIteration, changed: boolean): string | null {
  const accepted = (moves ?? []).some(({ by, to }) => by === 'agent' || (to !== 'needs_review' && by === 'runner'))
  if (accepted) return null
  if (outcome === 'failed' || outcome === 'timeout' || outcome === 'silent')
    return message ?? `the agent ended as ${outcome}`
  if (outcome === 'not-logged-in' || outcome === 'unavailable') return message ?? 'the agent could not work'
  if (outcome === 'interrupted' || outcome === 'usage-limit' || outcome === 'overloaded') return null
  const caught = verdict?.violations.length ?? 0
  if (caught > 0)
    return `the referee caught ${caught === 1 ? 'a violation' : `${caught} violations`}, and no legal move was left`
  // One that changed something and said nothing would else be asked again until nothing is left to ask with.
  const isOver = outcome === 'succeeded' || (outcome === 'empty' && changed)
  return mode === 'review' && isOver ? 'the review gave no verdict that counts' : null
}

const isFatal = ({ outcome }: OpenIteration): boolean => outcome === 'not-logged-in' || outcome === 'unavailable'

/** A start that came to nothing for reasons outside of the work is tried again under the same number. */
function isCounted({ outcome, moves }: OpenIteration, changed: boolean, retries: number): boolean {
  if ((moves ?? []).length > 0) return true
  if (outcome === 'usage-limit' || outcome === 'overloaded') return changed
  return !(outcome === 'empty' && !changed && retries < maxEmptyRetries)
}
