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
export function brokenInvariants(list: TaskList, { skipReview, reviewCap = Infinity }: InvariantOptions): Problem[] {
  const reviewed = skipReview ? [] : list.userStories
  const over = reviewed.filter((story) => story.reviewCount > reviewCap + 1)
  return [
    ...reviewed.flatMap((story) => reviewInvariants(story, story.id)),
    ...over.map(({ id, reviewCount }) =>
      problemOf(id, 'reviewCount', `: reviewCount ${reviewCount} is over the review cap of ${reviewCap} + 1.`),
    ),
    ...graphProblems(list.userStories),
  ]
}

const problemOf = (story: string, field: string, words: string): Problem => ({
  story,
  field,
  message: `Story ${story}${words}`,
})

/** The invariants of the four review fields of one story, in the seed's words. */
export function reviewInvariants({ passes, reviewStatus, reviewFeedback }: ReviewFields, id: string): Problem[] {
  const broken: Problem[] = []
  const add = (field: string, words: string) => broken.push(problemOf(id, field, words))
  const isApproved = reviewStatus === 'approved'
  if (passes && !isApproved) {
    const words = `has passes=true but reviewStatus is '${reviewStatus}', not 'approved'.`
    const advice = 'Only review iterations may approve stories. Set passes back to false or complete the review cycle.'
    add('passes', ` ${words} ${advice}`)
  }
  if (!passes && isApproved) {
    const words = `has reviewStatus 'approved' but passes=false: the two are out of sync.`
    add('passes', ` ${words} Set passes to true, or take the approval back.`)
  }
  if (reviewStatus === 'changes_requested' && reviewFeedback.trim() === '') add('reviewFeedback', missingFeedback)
  return broken
}

const missingFeedback =
  " has reviewStatus 'changes_requested' but reviewFeedback is empty: feedback is required. Say what must be fixed, and where."

/** The same sentence for the state and for the agent that leaves it. */
export const describeMissingFeedback = (id: string): string => `Story ${id}${missingFeedback}`

function graphProblems(stories: readonly Story[]): Problem[] {
  const known = new Set(stories.map((story) => story.id))
  const problems: Problem[] = []
  const parentOf = new Map<string, string>()
  const notInTheList = 'which is not in the list'
  for (const { id, dependsOn, splitInto } of stories.map(toNode)) {
    const add = (field: string, name: string, why: string) =>
      problems.push(problemOf(id, field, `: ${field} names ${name}, ${why}.`))
    for (const name of dependsOn) if (!known.has(name)) add('dependsOn', name, notInTheList)
    for (const part of splitInto) {
      const parent = parentOf.get(part)
      if (!known.has(part)) add('splitInto', part, notInTheList)
      else if (parent !== undefined) add('splitInto', part, `which is already a part of ${parent}`)
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

export function toNode({ id, dependsOn = [], splitInto = [] }: Story): Node {
  return { id, dependsOn, splitInto }
}
