import type { Story, TaskList } from '../model/story.ts'
import { isDone, openParts } from './select-story.ts'

/** The runner's own moves: made between judged iterations, from its own knowledge, never on an agent's word. */

/** A split story whose parts are all done is reviewed itself, against its own criteria. */
export function submitSplitStories(list: TaskList, skipReview: boolean): { list: TaskList; moved: readonly string[] } {
  if (skipReview) return { list, moved: [] }
  const open = openParts(list.userStories, skipReview)
  const ready = (story: Story) =>
    (story.splitInto ?? []).length > 0 &&
    !open.has(story.id) &&
    !isDone(story, skipReview) &&
    story.reviewStatus !== 'needs_review'
  const moved = list.userStories.filter(ready).map((story) => story.id)
  return { list: change(list, moved, () => ({ reviewStatus: 'needs_review', reviewFeedback: '' })), moved }
}

/** An approval whose checks failed when the runner ran them is a request for changes, with the output as feedback. */
export function rejectForChecks(list: TaskList, id: string, feedback: string): TaskList {
  return change(list, [id], () => ({ passes: false, reviewStatus: 'changes_requested', reviewFeedback: feedback }))
}

/** The same where nothing is reviewed: the story is open again. */
export function reopenForChecks(list: TaskList, id: string): TaskList {
  return change(list, [id], () => ({ passes: false }))
}

const capPrefix = '[AUTO-APPROVED AT CAP] '

/** The review that reached the cap rejected, the checks passed, and the user wants the loop to go on. */
export function approveAtCap(list: TaskList, id: string): TaskList {
  return change(list, [id], (story) => ({
    passes: true,
    reviewStatus: 'approved',
    reviewFeedback: story.reviewFeedback.startsWith(capPrefix)
      ? story.reviewFeedback
      : `${capPrefix}${story.reviewFeedback}`,
    notes: (story.notes ?? '').trim() === '' ? '(Nobody wrote notes on this story.)' : (story.notes ?? ''),
  }))
}

/** What a rejecting review means, now that it is counted. */
export function afterRejection(
  story: Story,
  options: { readonly reviewCap: number; readonly atReviewCap: 'approve' | 'stop'; readonly checksPass: boolean },
): 'fix' | 'approve-at-cap' | 'review_cap' {
  if (story.reviewCount < options.reviewCap) return 'fix'
  return options.atReviewCap === 'approve' && options.checksPass ? 'approve-at-cap' : 'review_cap'
}

/** Stories that passed in an earlier run without review need one when this run reviews. */
export function requireReview(list: TaskList): { list: TaskList; moved: readonly string[] } {
  const moved = list.userStories
    .filter((story) => story.passes && story.reviewStatus !== 'approved')
    .map((story) => story.id)
  return {
    list: change(list, moved, () => ({ passes: false, reviewStatus: 'needs_review', reviewFeedback: '' })),
    moved,
  }
}

function change(list: TaskList, ids: readonly string[], to: (story: Story) => Partial<Story>): TaskList {
  if (ids.length === 0) return list
  const wanted = new Set(ids)
  return {
    ...list,
    userStories: list.userStories.map((story) => (wanted.has(story.id) ? { ...story, ...to(story) } : story)),
  }
}
