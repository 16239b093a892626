import type { Referee } from '../git/referee.ts'
import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { readTasks } from '../tasks/read-tasks.ts'
import { tasksIn } from '../workflows/look.ts'

/**
 * Stories that are approved now and were not when the last run ended: no review of ours did that. By the list of that run's
 * last commit; where git has none, only what that run itself moved is known.
 */
export async function approvedByHand(
  list: TaskList,
  { lastCommit, stories }: RunState,
  { referee, ralphDir }: { readonly referee: Referee; readonly ralphDir: string },
): Promise<string[]> {
  const bytes = lastCommit === null ? null : await referee.read(lastCommit, tasksIn(ralphDir))
  const text = bytes?.ok === true ? bytes.value?.toString('utf8') : undefined
  const then = text === undefined ? null : readTasks(text)
  const approved = list.userStories.filter(({ reviewStatus }) => reviewStatus === 'approved').map(({ id }) => id)
  if (then?.ok === true) {
    const before = new Map(then.value.userStories.map((story) => [story.id, story.reviewStatus]))
    return approved.filter((id) => before.get(id) !== 'approved')
  }
  return approved.filter((id) => {
    const move = stories.lastMove.get(id)
    return move !== undefined && move !== 'approved' && move !== 'approved_at_cap'
  })
}
