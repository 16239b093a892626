import type { ReviewFields, Story, TaskList } from '../model/story.ts'
import { findCircles, type Node } from './dependencies.ts'
import type { Problem } from './read-tasks.ts'
import { someOf } from './some-of.ts'

export interface InvariantOptions {
  readonly skipReview: boolean
  /** The bound of reviewCount is this + 1; absent where the list itself is the start. */
  readonly reviewCap?: number
}

/** What must hold of a valid list at any time, whatever moved: the seed's check 2, and that nobody waits in a circle. */
export function brokenInvariants(list: TaskList, options: InvariantOptions): Problem[] {
  const problems: Problem[] = []
  if (!options.skipReview) {
    for (const story of list.userStories) {
      for (const { field, message } of reviewInvariants(story, story.id)) {
        problems.push({ story: story.id, field, message })
      }
    }
  }
  const { reviewCap } = options
  if (reviewCap !== undefined && !options.skipReview) {
    for (const story of list.userStories.filter((story) => story.reviewCount > reviewCap + 1)) {
      const message = `Story ${story.id}: reviewCount ${story.reviewCount} is over the review cap of ${reviewCap} + 1.`
      problems.push({ story: story.id, field: 'reviewCount', message })
    }
  }
  return [...problems, ...graphProblems(list.userStories)]
}

/** The invariants of the four review fields of one story, in the seed's words. */
export function reviewInvariants(review: ReviewFields, id: string): { field: string; message: string }[] {
  const broken: { field: string; message: string }[] = []
  if (review.passes && review.reviewStatus !== 'approved') {
    broken.push({
      field: 'passes',
      message:
        `Story ${id} has passes=true but reviewStatus is '${review.reviewStatus}', not 'approved'. ` +
        'Only review iterations may approve stories. Set passes back to false or complete the review cycle.',
    })
  }
  if (!review.passes && review.reviewStatus === 'approved') {
    broken.push({
      field: 'passes',
      message: `Story ${id} has reviewStatus 'approved' but passes=false: the two are out of sync. Set passes to true, or take the approval back.`,
    })
  }
  if (review.reviewStatus === 'changes_requested' && review.reviewFeedback.trim() === '') {
    broken.push({
      field: 'reviewFeedback',
      message: describeMissingFeedback(id),
    })
  }
  return broken
}

/** The same sentence for the state and for the agent that leaves it. */
export const describeMissingFeedback = (id: string): string =>
  `Story ${id} has reviewStatus 'changes_requested' but reviewFeedback is empty: feedback is required. Say what must be fixed, and where.`

function graphProblems(stories: readonly Story[]): Problem[] {
  const known = new Set(stories.map((story) => story.id))
  const problems: Problem[] = []
  const parentOf = new Map<string, string>()
  for (const { id, dependsOn = [], splitInto = [] } of stories) {
    for (const name of dependsOn.filter((name) => !known.has(name))) {
      problems.push({
        story: id,
        field: 'dependsOn',
        message: `Story ${id}: dependsOn names ${name}, which is not in the list.`,
      })
    }
    for (const part of splitInto) {
      const parent = parentOf.get(part)
      if (!known.has(part)) {
        problems.push({
          story: id,
          field: 'splitInto',
          message: `Story ${id}: splitInto names ${part}, which is not in the list.`,
        })
      } else if (parent !== undefined) {
        problems.push({
          story: id,
          field: 'splitInto',
          message: `Story ${id}: splitInto names ${part}, which is already a part of ${parent}.`,
        })
      }
      parentOf.set(part, id)
    }
  }
  for (const circle of findCircles(stories.map(toNode))) {
    problems.push({ story: circle[0] ?? null, field: 'dependsOn', message: describeCircle(circle) })
  }
  return problems
}

function describeCircle(circle: readonly string[]): string {
  const who =
    circle.length === 1 ? `Story ${circle[0]} waits for itself` : `Stories ${someOf(circle)} wait for each other`
  return `${who} through dependsOn or splitInto.`
}

export function toNode(story: Story): Node {
  return { id: story.id, dependsOn: story.dependsOn ?? [], splitInto: story.splitInto ?? [] }
}
