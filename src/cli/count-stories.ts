import type { Story } from '../model/story.ts'
import { isBlocked, isDone } from '../tasks/select-story.ts'

/** How many stories stand where; each is counted once, so the parts add up to the total. */
export interface StoryCounts {
  readonly total: number
  readonly approved: number
  readonly needsReview: number
  readonly changesRequested: number
  readonly blocked: number
  readonly open: number
}

/** Without review a story that passed counts as approved: nothing more can become of it. */
export function countStories(stories: readonly Story[], skipReview: boolean): StoryCounts {
  const count = { total: stories.length, approved: 0, needsReview: 0, changesRequested: 0, blocked: 0, open: 0 }
  for (const story of stories) count[placeOf(story, skipReview)]++
  return count
}

function placeOf(story: Story, skipReview: boolean): Exclude<keyof StoryCounts, 'total'> {
  if (isDone(story, skipReview)) return 'approved'
  if (isBlocked(story)) return 'blocked'
  if (story.reviewStatus === 'needs_review') return 'needsReview'
  return story.reviewStatus === 'changes_requested' ? 'changesRequested' : 'open'
}
