import { ok, type Result } from '../base/result.ts'
import type { Steps } from '../loop/workflow.ts'
import type { MovedStory } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import type { Story, TaskList } from '../model/story.ts'
import { repair } from '../tasks/judge.ts'
import type { Rules } from '../tasks/rules.ts'
import {
  afterRejection,
  approveAtCap,
  rejectForChecks,
  reopenForChecks,
  submitSplitStories,
} from '../tasks/runner-moves.ts'
import { returnToJudged, type Compared } from './compare-again.ts'
import { caseOf } from './judge-iteration.ts'
import { look } from './look.ts'
import { nameViolations } from './name-violations.ts'
import { joined, passed, runChecks, type CheckRun } from './run-checks.ts'
import type { Seen, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'
import { wantedChecks, type AgentMove } from './wanted-checks.ts'

/**
 * What becomes of the work, now that only legal work is left: the checks that the move asks for, a second comparison, and
 * the moves that are the runner's own. False: a stop came before something could be decided, and a resume does it again.
 */
export async function* settleIteration(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { open, state }: { readonly open: OpenIteration; readonly state: RunState },
): Steps<boolean> {
  const { before, mode, rules } = caseOf(ports, memory, open)
  const earlier = yield* sinceJudged(ports, memory, { open, rules, artefacts: state.stories.artefacts })
  if (!earlier.ok) return earlier
  const artefacts = [...state.stories.artefacts, ...earlier.value.artefacts]
  const looking = { iteration: open.iteration, base: memory.before.base, artefacts }
  const seen: Result<Seen, Failure> = memory.seen === null ? await look(ports, memory, looking) : ok(memory.seen)
  if (!seen.ok) return seen
  const { list, move } = repair(before, seen.value.now, mode, rules)
  if (list === null) throw new Error('the runner always knows the list of the snapshot')
  const wanted = move === null ? [] : wantedChecks(move, list, ports.options, state)
  const { iteration, story } = open
  const { view } = seen.value
  const judged = { commit: view.head ?? memory.before.base.commit, tree: view.tree }
  const checked = yield* runChecks(ports, memory, {
    wanted,
    mode: open.mode,
    story: move?.story ?? story,
    comparison: { iteration, judged, list, rules, artefacts },
  })
  if (!checked.ok) return checked
  const { runs } = checked.value
  if (runs === null && wanted.some(({ decides }) => decides)) return ok(false)
  const compared = joined(earlier.value, checked.value.compared)
  memory.list = list
  const moves = move === null ? [] : movesAfter(move, list, { ports, runs: runs ?? [], compared, rules })
  const after = withMoves(list, moves)
  const parents = submitSplitStories(after, { skipReview: ports.options.skipReview, before: memory.before.list }).moved
  yield {
    kind: 'stories.moved',
    iteration,
    moves: [...moves, ...parents.map((id) => ({ story: id, to: 'needs_review' as const, by: 'runner' as const }))],
    artefacts: compared.artefacts,
    ...nameViolations(compared.violations),
  }
  return ok(true)
}

/** What checks of a process that was killed in the middle of them have done. */
async function* sinceJudged(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { open, rules, artefacts }: { open: OpenIteration; rules: Rules; artefacts: readonly string[] },
): Steps<Compared> {
  // Whoever has judged this has seen it.
  if (memory.seen !== null || open.judged === null) return ok({ artefacts: [], violations: [] })
  const { iteration, base, judged, startedAt } = open
  const { commit, tree } = judged
  return yield* returnToJudged(ports, memory, {
    iteration,
    judged: { commit: commit ?? base, tree },
    rules,
    artefacts,
    checksSince: Date.parse(startedAt),
  })
}

interface Circumstances {
  readonly ports: StoriesPorts
  readonly runs: readonly CheckRun[]
  readonly compared: Compared
  readonly rules: Rules
}

function movesAfter(move: AgentMove, list: TaskList, { ports, runs, compared, rules }: Circumstances): MovedStory[] {
  const { options } = ports
  const { story: id, to } = move
  const story = list.userStories.find((candidate) => candidate.id === id) as Story
  const byAgent: MovedStory = { story: id, to, by: 'agent' }
  const checksPass = runs.every((run) => !run.decides || passed(run))
  const isClean = compared.violations.length === 0
  if (to === 'approved' || to === 'passed_unreviewed') {
    if (isClean && checksPass) return [byAgent]
    // Whoever approves and has the checks rewrite the list has approved nothing.
    if (!isClean && to === 'approved') return [{ story: id, to: 'needs_review', by: 'runner' }]
    return [{ story: id, to: to === 'approved' ? 'changes_requested' : 'reopened', by: 'runner' }]
  }
  if (to === 'changes_requested') {
    const { reviewCap, atReviewCap } = options
    const next = afterRejection(story, { reviewCap, atReviewCap, checksPass: checksPass && isClean })
    // No approval comes from a run that failed, not even this one: the review is done again.
    if (next === 'approve-at-cap' && !rules.agentSucceeded) return [{ story: id, to: 'needs_review', by: 'runner' }]
    if (next === 'approve-at-cap') return [{ story: id, to: 'approved_at_cap', by: 'runner' }]
  }
  return [byAgent]
}

/** The list as it will be when the runner's moves are written; only what decides about further moves. */
function withMoves(list: TaskList, moves: readonly MovedStory[]): TaskList {
  return moves.reduce((changed, { story, to, by }) => {
    if (by === 'agent') return changed
    if (to === 'changes_requested') return rejectForChecks(changed, story, '')
    if (to === 'reopened') return reopenForChecks(changed, story)
    return to === 'approved_at_cap' ? approveAtCap(changed, story) : changed
  }, list)
}
