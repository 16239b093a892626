import { listOf, refuse, reviewFields, textOf, type Context, type Draft } from './draft.ts'
import { someOf } from './some-of.ts'

/**
 * Of the moves that are legal by themselves, one may stay: that of the iteration's story (or of a part it was split
 * into). Moves of stories that nobody may work on, and approvals that do not count, go back too.
 */
export function settleMoves(
  drafts: ReadonlyMap<string, Draft>,
  context: Context,
  approvalVoid: string | null,
): Draft | null {
  const { mode, rules } = context
  for (const draft of drafts.values()) {
    if (draft.move === null) continue
    const held = whyHeld(draft, drafts, rules.skipReview)
    if (held === null) continue
    refuse(context, draft, 'illegal-transition', `Story ${draft.id} ${held} and may not move now. ${putItBack}`)
  }

  const moved = [...drafts.values()].filter((draft) => draft.move !== null)
  const ours = moved.find((draft) => draft.id === rules.story) ?? moved.find((draft) => draft.before === null)
  const kept = moved.length === 1 || rules.story === undefined ? moved[0] : ours
  for (const draft of moved.filter((draft) => draft !== kept)) {
    refuse(context, draft, 'too-many-moves', describeTooMany(draft.id, mode, kept?.id ?? rules.story ?? null))
  }

  if (kept === undefined) return null
  const counts = kept.move === 'approved' || kept.move === 'passed_unreviewed'
  if (counts && approvalVoid !== null) {
    refuse(context, kept, 'approval-void', `The approval of story ${kept.id} does not count: ${approvalVoid}.`)
    return null
  }
  return kept
}

const putItBack = `Put its ${reviewFields.join(', ')} back.`

/** Blocked stories and those whose parts are open are nobody's work; moves of them are not moves. */
function whyHeld(draft: Draft, drafts: ReadonlyMap<string, Draft>, skipReview: boolean): string | null {
  if (textOf(draft.out['blocked']).trim() !== '') return 'is blocked'
  const open = listOf(draft.out['splitInto']).filter((id) => {
    const part = drafts.get(id)?.before
    return !(part?.passes === true && (skipReview || part.reviewStatus === 'approved'))
  })
  return open.length === 0 ? null : `waits for its parts ${someOf(open)}`
}

function describeTooMany(id: string, mode: Context['mode'], kept: string | null): string {
  const only = kept === null ? 'one story' : `one story (${kept})`
  if (mode === 'review') {
    return `Review iteration made illegal transition on story ${id}: a review may only judge ${only}. ${putItBack}`
  }
  const iterations = mode === 'implement' ? 'Implement' : 'Review-fix'
  return `${iterations} iterations work on one story: only ${only} may move, not story ${id}. ${putItBack}`
}
