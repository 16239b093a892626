import { visibleLine } from '../base/visible.ts'
import type { Plan } from '../loop/workflow.ts'
import { tooOften, type RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { selectStory } from '../tasks/select-story.ts'

/** What the list asks for next. */
export function planStories(
  list: TaskList,
  { stories }: RunState,
  options: { readonly skipReview: boolean; readonly reviewCap: number; readonly story: string | null },
): Plan {
  const { skipReview, reviewCap, story } = options
  const stuck = Object.entries(stories.failedChecks).filter(([, times]) => times >= tooOften)
  if (stuck.length > 0) {
    const details = stuck.map(
      ([command]) => `The check \`${visibleLine(command)}\` cannot start, or failed three times in a row.`,
    )
    return { kind: 'stop', reason: 'waiting', details }
  }
  const next = selectStory(list, { skipReview, ...(story === null ? {} : { only: story }) })
  if (next.kind === 'done') return { kind: 'finish' }
  if (next.kind === 'waiting') return { kind: 'stop', reason: 'waiting', details: next.reasons }
  if (next.mode === 'review-fix' && next.story.reviewCount >= reviewCap) {
    const { id, reviewCount, reviewFeedback } = next.story
    const details = [
      `${id} was rejected by review ${reviewCount} of at most ${reviewCap}: ${visibleLine(reviewFeedback)}`,
    ]
    return { kind: 'stop', reason: 'review_cap', details }
  }
  return { kind: 'iterate', mode: next.mode, story: next.story.id }
}
