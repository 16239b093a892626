import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import type { Repair } from '../tasks/judge.ts'
import { isDone } from '../tasks/select-story.ts'
import type { WantedCheck } from './run-checks.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** The one move of an iteration that the referee lets stand. */
export type AgentMove = NonNullable<Repair['move']>

/**
 * Which checks this move asks for. Those of the story decide about it. Those of the whole list decide when they passed
 * before (then this work broke them) or when nothing else is left to do: earlier they may wait for stories to come.
 */
export function wantedChecks(
  { story: id, to }: AgentMove,
  list: TaskList,
  options: StoriesPorts['options'],
  state: RunState,
): WantedCheck[] {
  const story = list.userStories.find((candidate) => candidate.id === id)
  if (story === undefined) return []
  const isAtCap = to === 'changes_requested' && story.reviewCount >= options.reviewCap
  const isApproval = to === 'approved' || to === 'passed_unreviewed'
  // A rejection below the cap is followed by a fix whatever the checks say.
  if (!isApproval && !isAtCap && to !== 'needs_review') return []
  const decides = isApproval || isAtCap
  const own = story.verifyCommands ?? []
  const general = [...(list.verifyCommands ?? []), ...options.checks.map(({ command }) => command)]
  const isLast = list.userStories.every((other) => other.id === id || isDone(other, options.skipReview))
  const { passedChecks } = state.stories
  return [...new Set([...own, ...general])].map((command) => ({
    command,
    decides: decides && (own.includes(command) || isLast || Object.hasOwn(passedChecks, command)),
  }))
}
