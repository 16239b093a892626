import type { Json } from '../base/json.ts'

/** Where a story is on its way: null (not implemented) → needs_review → approved | changes_requested → needs_review … */
export type ReviewStatus = null | 'needs_review' | 'changes_requested' | 'approved'

/** What an iteration is for; decided by the runner from the list, never by the agent. */
export type IterationMode = 'implement' | 'review' | 'review-fix'

/** The four fields that carry the verdict on a story; the referee puts them back together or not at all. */
export interface ReviewFields {
  passes: boolean
  reviewStatus: ReviewStatus
  reviewCount: number
  reviewFeedback: string
}

/** One entry of `userStories`, already checked. Unknown fields stay in it, in their order. */
export interface Story extends ReviewFields {
  id: string
  title: string
  description?: string
  acceptanceCriteria: string[]
  priority: number
  notes?: string
  dependsOn?: string[]
  /** The stories that this one was split into; it waits for them and is reviewed itself at the end. */
  splitInto?: string[]
  /** What a person must do before this story can go on; absent or empty means nothing. */
  blocked?: string
  /** Globs of protected files that this story may change; only people write it. */
  mayChange?: string[]
  /** Checks that decide the approval of this story. */
  verifyCommands?: string[]
  [unknown: string]: Json | undefined
}

/** tasks.json, already checked. */
export interface TaskList {
  project: string
  branchName: string
  description: string
  verifyCommands?: string[]
  /** Git pathspecs of files that no iteration may change. */
  protectedPaths?: string[]
  userStories: Story[]
  [unknown: string]: Json | Story[] | undefined
}
