import type { Story, TaskList } from '../model/story.ts'
import { openParts } from './select-story.ts'

/** The runner's own moves: made between judged iterations, from its own knowledge, never on an agent's word. */

/**
 * A split story whose parts are all done is reviewed itself, against its own criteria. One that was rejected is
 * submitted when its parts have become done since `before`: rejected after that, it is to be fixed.
 */
export function submitSplitStories(
  list: TaskList,
  options: { readonly skipReview: boolean; readonly before: TaskList | null },
): { list: TaskList; moved: readonly string[] } {
  const { skipReview, before } = options
  if (skipReview) return { list, moved: [] }
  const open = openParts(list.userStories, skipReview)
  const wasOpen = openParts(before?.userStories ?? [], skipReview)
  const ready = (story: Story) =>
    (story.splitInto ?? []).length > 0 &&
    !open.has(story.id) &&
    (story.reviewStatus === null || (story.reviewStatus === 'changes_requested' && wasOpen.has(story.id)))
  const moved = list.userStories.filter(ready).map((story) => story.id)
  return { list: change(list, moved, () => ({ reviewStatus: 'needs_review', reviewFeedback: '' })), moved }
}

/** An approval whose checks failed when the runner ran them is a request for changes, with the output as feedback. */
export function rejectForChecks(list: TaskList, id: string, feedback: string): TaskList {
  // A check may fail without a word, and a rejection without feedback is no valid state.
  const reviewFeedback = feedback.trim() === '' ? 'A check failed and printed nothing.' : feedback
  return change(list, [id], () => ({ passes: false, reviewStatus: 'changes_requested', reviewFeedback }))
}

/** The same where nothing is reviewed: the story is open again. */
export function reopenForChecks(list: TaskList, id: string): TaskList {
  return change(list, [id], () => ({ passes: false }))
}

const capPrefix = '[AUTO-APPROVED AT CAP] '

export const isAutoApproved = (story: Story): boolean => story.reviewFeedback.startsWith(capPrefix)

/**
 * Up for review (again): a split story whose parts are done, or one whose approval is void, with the number of reviews
 * that count.
 */
export function resubmit(list: TaskList, id: string, reviewCount: number): TaskList {
  return change(list, [id], () => ({ passes: false, reviewStatus: 'needs_review', reviewCount, reviewFeedback: '' }))
}

/** The review that reached the cap rejected, the checks passed, and the user wants the loop to go on. */
export function approveAtCap(list: TaskList, id: string): TaskList {
  return change(list, [id], (story) => ({
    passes: true,
    reviewStatus: 'approved',
    reviewFeedback: isAutoApproved(story) ? story.reviewFeedback : `${capPrefix}${story.reviewFeedback}`,
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
