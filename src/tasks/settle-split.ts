import { visibleLine } from '../base/visible.ts'
import { listOf, refuse, type Context, type Draft } from './draft.ts'
import { describeUncleanBirth } from './settle-new-story.ts'
import { someOf } from './some-of.ts'

/**
 * A split names stories that were born in this iteration and together carry every criterion of the story they come
 * from. One that does not hold is undone: its parts stay as ordinary new stories.
 */
export function settleSplits(drafts: ReadonlyMap<string, Draft>, context: Context): void {
  const parts = new Set<string>()
  for (const draft of drafts.values()) {
    if (!draft.splits) continue
    const problem = splitProblem(draft, drafts)
    if (problem === null) for (const part of listOf(draft.out['splitInto'])) parts.add(part)
    else refuse(context, draft, 'split', `Story ${draft.id}: ${problem}`, 'splitInto')
  }
  keepOneSubmittedPart(drafts, parts, context)
}

function splitProblem(draft: Draft, drafts: ReadonlyMap<string, Draft>): string | null {
  const parts = listOf(draft.out['splitInto']).map((id) => ({ id, part: drafts.get(id) }))
  const old = parts.filter(({ part }) => part === undefined || part.before !== null).map(({ id }) => id)
  if (old.length > 0) return `splitInto may only name stories that this iteration added; ${someOf(old)} is not one.`
  const carried = new Set(
    parts.flatMap(({ part }) => listOf(part?.out['acceptanceCriteria']).map((text) => text.trim())),
  )
  const lost = listOf(draft.out['acceptanceCriteria']).filter((criterion) => !carried.has(criterion.trim()))
  if (lost.length === 0) return null
  return `its parts must together carry each of its acceptance criteria word for word; missing: ${someOf(lost.map((text) => JSON.stringify(visibleLine(text))))}.`
}

/** Born `needs_review` is for one part of a split, the one that the iteration has already done. */
function keepOneSubmittedPart(drafts: ReadonlyMap<string, Draft>, parts: ReadonlySet<string>, context: Context): void {
  const submitted = [...drafts.values()].filter((draft) => draft.before === null && draft.move === 'needs_review')
  const kept = submitted.find((draft) => parts.has(draft.id))
  for (const draft of submitted.filter((draft) => draft !== kept)) {
    refuse(context, draft, 'new-story-not-clean', describeUncleanBirth(draft.id))
  }
}
