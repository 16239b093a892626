import type { Referee } from '../git/referee.ts'
import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { isDone } from '../tasks/select-story.ts'

/**
 * Where the run before began with stories that are not done yet: without it the reviewer of a new run would have no change to
 * look at. A commit that is no longer in the history, because somebody has rewritten it, says nothing.
 */
export async function earlierBases(
  list: TaskList,
  previous: RunState | null,
  { referee, skipReview }: { readonly referee: Referee; readonly skipReview: boolean },
): Promise<Record<string, string>> {
  const bases: Record<string, string> = {}
  const isThere = new Map<string, boolean>()
  for (const story of list.userStories) {
    const base = previous?.stories.firstBase.get(story.id)
    if (base === undefined || isDone(story, skipReview)) continue
    if (!isThere.has(base)) isThere.set(base, (await referee.commitsSince(base, referee.baseline.commit)).ok)
    if (isThere.get(base) === true) bases[story.id] = base
  }
  return bases
}
