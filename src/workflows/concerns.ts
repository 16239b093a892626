import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { isAutoApproved } from '../tasks/runner-moves.ts'

/** What keeps a completion from being clean, one sentence each. Counted from the journal; older runs left it in the list. */
export function concernsOf(
  list: TaskList,
  { stories }: RunState,
  { skipReview, commands, onlyStory }: { skipReview: boolean; commands: readonly string[]; onlyStory: string | null },
): string[] {
  const relevant = list.userStories.filter(({ id }) => onlyStory === null || id === onlyStory)
  const atCap = relevant
    .filter((story) => stories.lastMove.get(story.id) === 'approved_at_cap' || isAutoApproved(story))
    .map(({ id }) => id)
  const unreviewed = relevant.filter((story) => story.passes && story.reviewStatus !== 'approved').map(({ id }) => id)
  return [
    ...(atCap.length > 0 ? [`Approved only because the review cap was reached: ${atCap.join(', ')}.`] : []),
    ...(skipReview ? ['Nothing was reviewed (--skip-review).'] : []),
    ...(!skipReview && unreviewed.length > 0 ? [`Not reviewed: ${unreviewed.join(', ')}.`] : []),
    ...(commands.length === 0 ? ['There was no check at all: nobody but agents says that this works.'] : []),
  ]
}
