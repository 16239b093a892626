import type { StoryMove } from '../model/event.ts'
import type { StorySnapshot } from '../model/snapshot.ts'
import type { IterationMode, ReviewFields } from '../model/story.ts'
import { reviewFields } from './draft.ts'
import { reviewInvariants } from './invariants.ts'

/** How the four review fields of one story went from the snapshot to now, taken by itself. */
export type Move =
  | { readonly kind: 'none' }
  | { readonly kind: 'legal'; readonly to: StoryMove }
  /** A re-submission that left the old feedback in place: the move counts, the runner empties the feedback. */
  | { readonly kind: 'feedback-not-cleared'; readonly to: StoryMove }
  /** A rejection that does not say why is no verdict: the story goes back to needs_review. */
  | { readonly kind: 'no-feedback' }
  | { readonly kind: 'illegal'; readonly message: string }

export function classifyMove(options: {
  readonly id: string
  readonly before: StorySnapshot
  readonly now: ReviewFields
  readonly mode: IterationMode
  readonly skipReview: boolean
}): Move {
  const { before, now, mode } = options
  const changed = changedFields(before, now)
  if (changed.length === 0) return { kind: 'none' }
  const only = (...fields: readonly string[]) => changed.every((change) => fields.includes(change.field))

  if (mode === 'implement') {
    if (before.reviewStatus === null && now.reviewStatus === 'needs_review' && only('reviewStatus')) {
      return { kind: 'legal', to: 'needs_review' }
    }
    if (options.skipReview && now.passes && only('passes')) return { kind: 'legal', to: 'passed_unreviewed' }
    return illegalMove(options, changed)
  }

  if (mode === 'review-fix') {
    const resubmitted = before.reviewStatus === 'changes_requested' && now.reviewStatus === 'needs_review'
    if (resubmitted && only('reviewStatus', 'reviewFeedback')) {
      if (now.reviewFeedback.trim() === '') return { kind: 'legal', to: 'needs_review' }
      if (before.reviewFeedback === undefined || before.reviewFeedback === now.reviewFeedback) {
        return { kind: 'feedback-not-cleared', to: 'needs_review' }
      }
    }
    return illegalMove(options, changed)
  }

  const details = reviewProblems(before, now)
  if (details.length > 0) return illegalMove(options, changed, details)
  if (now.reviewStatus === 'approved') return { kind: 'legal', to: 'approved' }
  return now.reviewFeedback.trim() === '' ? { kind: 'no-feedback' } : { kind: 'legal', to: 'changes_requested' }
}

interface Change {
  readonly field: keyof ReviewFields
  readonly text: string
}

function changedFields(before: StorySnapshot, now: ReviewFields): Change[] {
  return reviewFields
    .filter((field) => before[field] !== undefined && before[field] !== now[field])
    .map((field) => ({
      field,
      text: field === 'reviewFeedback' ? 'reviewFeedback edited' : `${field} ${before[field]} → ${now[field]}`,
    }))
}

function reviewProblems(before: StorySnapshot, now: ReviewFields): string[] {
  const problems: string[] = []
  if (before.reviewStatus !== 'needs_review') {
    problems.push(`only a story that was needs_review may be judged (it was ${before.reviewStatus})`)
  } else if (now.reviewStatus !== 'approved' && now.reviewStatus !== 'changes_requested') {
    problems.push(`a verdict sets reviewStatus to approved or changes_requested (it is ${now.reviewStatus})`)
  }
  if (now.reviewCount !== before.reviewCount + 1) {
    problems.push(`reviewCount must go up by exactly 1 (${before.reviewCount} → ${now.reviewCount})`)
  }
  if (now.passes !== (now.reviewStatus === 'approved')) {
    problems.push(`passes must be true with approved and false otherwise (passes ${before.passes} → ${now.passes})`)
  }
  return problems
}

function illegalMove(
  options: {
    readonly id: string
    readonly now: ReviewFields
    readonly mode: IterationMode
    readonly skipReview: boolean
  },
  changed: readonly Change[],
  details: readonly string[] = [],
): Move {
  const transition = changed.map((change) => change.text).join(', ')
  const sentence = {
    implement: options.skipReview
      ? `Iterations without review may only set passes=true. Story ${options.id} had illegal transition: ${transition}.`
      : `Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story ${options.id} had illegal transition: ${transition}.`,
    review: `Review iteration made illegal transition on story ${options.id}: ${details.join('; ')}.`,
    'review-fix': `Review-fix iterations cannot approve stories. Story ${options.id} must go back to needs_review for re-review. Illegal transition: ${transition}.`,
  }[options.mode]
  const invariants = options.skipReview ? [] : reviewInvariants(options.now, options.id).map((broken) => broken.message)
  return { kind: 'illegal', message: [sentence, ...invariants].join(' ') }
}
