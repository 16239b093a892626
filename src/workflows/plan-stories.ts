import { oneLine } from '../base/one-line.ts'
import { visibleLine } from '../base/visible.ts'
import type { Plan } from '../loop/workflow.ts'
import { tooOften, type RanCheck, type RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { selectStory } from '../tasks/select-story.ts'

/** What the list asks for next. */
export function planStories(
  list: TaskList,
  state: RunState,
  options: { readonly skipReview: boolean; readonly reviewCap: number; readonly story: string | null },
): Plan {
  const { skipReview, reviewCap, story } = options
  const stuck = Object.entries(state.stories.failedChecks).filter(([, times]) => times >= tooOften)
  if (stuck.length > 0) {
    return { kind: 'stop', reason: 'waiting', details: stuck.map(([command]) => whyStuck(command, state.checks)) }
  }
  const next = selectStory(list, { skipReview, ...(story === null ? {} : { only: story }) })
  if (next.kind === 'done') return { kind: 'finish' }
  if (next.kind === 'waiting') return { kind: 'stop', reason: 'waiting', details: next.reasons }
  if (next.mode === 'review-fix' && next.story.reviewCount >= reviewCap) {
    const { id, reviewCount, reviewFeedback } = next.story
    const details = [
      `${id} was rejected by review ${reviewCount} of at most ${reviewCap}: ${visibleLine(oneLine(reviewFeedback))}`,
    ]
    return { kind: 'stop', reason: 'review_cap', details }
  }
  return { kind: 'iterate', mode: next.mode, story: next.story.id }
}

function whyStuck(command: string, checks: readonly RanCheck[]): string {
  const last = checks.find((check) => check.command === command)
  const why = last?.cannotStart === true ? 'cannot start: its program is not there' : 'failed three times'
  const where = last === undefined ? '' : `; what it printed last is in ${visibleLine(last.log, 4096)}`
  return `The check \`${visibleLine(command)}\` ${why}${where}`
}
