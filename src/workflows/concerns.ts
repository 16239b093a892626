import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { isAutoApproved } from '../tasks/runner-moves.ts'
import { withParts } from '../tasks/select-story.ts'
import type { FinalChecks } from './final-checks.ts'

/** What keeps a completion from being clean, one sentence each. Counted from the journal; older runs left it in the list. */
export function concernsOf(
  list: TaskList,
  { stories }: RunState,
  { skipReview, checks, onlyStory }: { skipReview: boolean; checks: FinalChecks; onlyStory: string | null },
): string[] {
  const relevant = onlyStory === null ? list.userStories : withParts(list.userStories, onlyStory)
  const atCap = relevant
    .filter((story) => stories.lastMove.get(story.id) === 'approved_at_cap' || isAutoApproved(story))
    .map(({ id }) => id)
  const unreviewed = relevant.filter((story) => story.passes && story.reviewStatus !== 'approved').map(({ id }) => id)
  return [
    ...(atCap.length > 0 ? [`Approved only because the review cap was reached: ${atCap.join(', ')}.`] : []),
    ...(skipReview ? ['Nothing was reviewed (--skip-review).'] : []),
    ...(!skipReview && unreviewed.length > 0 ? [`Not reviewed: ${unreviewed.join(', ')}.`] : []),
    ...(checks.commands.length === 0 ? ['There was no check at all: nobody but agents says that this works.'] : []),
    ...(checks.commands.length > 0 && !checks.isOfPeople
      ? ['There was no check but those that agents added: nobody else says what must pass.']
      : []),
  ]
}
