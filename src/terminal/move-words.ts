import type { StoryMove } from '../model/event.ts'

/** What a story is after its move. */
export const moveWords: Readonly<Record<StoryMove, string>> = {
  needs_review: 'needs review',
  changes_requested: 'changes requested',
  approved: 'approved',
  approved_at_cap: 'approved at the cap',
  passed_unreviewed: 'done, not reviewed',
  reopened: 'open again, its checks failed',
}
