import type { Story } from '../model/story.ts'
import { isDone } from './select-story.ts'

/** How many iterations these stories take where every review approves at once. */
export function iterationsNeeded(stories: readonly Story[], skipReview: boolean): number {
  return stories
    .filter((story) => !isDone(story, skipReview))
    .reduce((sum, { reviewStatus }) => sum + (skipReview || reviewStatus === 'needs_review' ? 1 : 2), 0)
}
