import { sameJson, type Json } from '../base/json.ts'
import type { StorySnapshot } from '../model/snapshot.ts'
import type { ReviewFields } from '../model/story.ts'
import {
  breach,
  keep,
  listOf,
  miss,
  putBackReview,
  refuse,
  reviewFields,
  textOf,
  type Context,
  type Draft,
  type Finding,
} from './draft.ts'
import { describeMissingFeedback } from './invariants.ts'
import { fieldProblem, fieldProblems } from './read-tasks.ts'
import { classifyMove } from './review-move.ts'
import { storyFields, type StoryField } from './story-fields.ts'

/** A story of the snapshot, field by field: what may not change goes back to what it was. */
export function settleStory(draft: Draft, before: StorySnapshot, context: Context): void {
  for (const field of ruledFields) {
    if (unchanged(draft, before, field)) continue
    const problem = fieldProblem(draft.now, field, storyFields[field])
    const finding = problem === null ? ruleOn(draft, before, field, context) : schemaProblem(field, problem)
    if (finding === null) continue
    refuse(context, draft, finding.rule, `Story ${draft.id}: ${finding.message}`, field)
  }
  settleReview(draft, before, context)
}

type RuledField = Exclude<StoryField, 'id' | keyof ReviewFields>

const notRuled: ReadonlySet<string> = new Set(['id', ...reviewFields])
const ruledFields = Object.keys(storyFields).filter((field): field is RuledField => !notRuled.has(field))

export const schemaProblem = (field: string, problem: string): Finding => breach('schema', `${field} ${problem}.`)

/** The row of "What an iteration may change" that speaks of this field, now that it changed and is well-formed. */
function ruleOn(draft: Draft, before: StorySnapshot, field: RuledField, { mode, rules }: Context): Finding | null {
  const now = draft.now[field]
  const known = before[field as keyof StorySnapshot] as Json | undefined
  if (known === undefined) return null
  const isOthers = rules.story !== undefined && rules.story !== draft.id
  const ours = `only the story of this iteration (${rules.story}) may be`
  switch (field) {
    case 'title':
    case 'description':
    case 'acceptanceCriteria':
      return breach('frozen-field', `${field} may not change during a loop. Put it back.`)
    case 'notes':
      if (textOf(now).startsWith(textOf(known))) return null
      return breach('notes-shortened', 'notes may only grow. Put the old text back and append to it.')
    case 'mayChange':
      return byPeopleOnly(field)
    case 'verifyCommands':
      return appendProblem(listOf(known), listOf(now), mode)
    case 'blocked':
      if (textOf(now).trim() === textOf(known).trim()) return null
      if (mode === 'review') return breach('blocked', 'a review iteration may not change blocked. Put it back.')
      if (isOthers) return breach('blocked', `${ours} blocked. Put blocked back.`)
      if (textOf(known).trim() === '') return null
      return breach('blocked', 'blocked is cleared or changed by people only. Put it back.')
    case 'splitInto':
      if (mode === 'review') return breach('split', 'a review iteration may not split stories. Put splitInto back.')
      if (isOthers) return breach('split', `${ours} split. Put splitInto back.`)
      if (listOf(known).length > 0) return breach('split', 'splitInto is set once and may not change. Put it back.')
      draft.splits = true
      return null
    case 'priority':
    case 'dependsOn':
      return null
    default:
      return field satisfies never
  }
}

export const byPeopleOnly = (field: string): Finding =>
  breach('people-only-field', `${field} is written by people only. Put it back.`)

/** Checks may be added, never taken away or changed: for a story and for the whole list alike. */
export function appendProblem(known: readonly string[], now: readonly string[], mode: Context['mode']): Finding | null {
  if (sameJson(known, now)) return null
  if (mode === 'review') {
    return breach('verify-commands', 'a review iteration may not change verifyCommands. Put them back.')
  }
  if (known.every((command, index) => command === now[index])) return null
  return breach('verify-commands', 'verifyCommands may only be added at the end. Put the others back.')
}

/**
 * Unchanged is never illegal, whatever it is: compared as written or, in the hook, by what the marker knows. Leaving an
 * optional field out is the same as leaving it empty, but for `splitInto`, where an empty list would be a split.
 */
function unchanged(draft: Draft, before: StorySnapshot, field: RuledField): boolean {
  const now = draft.now[field]
  if (draft.original !== null && sameJson(draft.original[field], now)) return true
  const known = before[field as keyof StorySnapshot]
  if (known === undefined || (field === 'splitInto' && sameJson(now, []))) return false
  return sameJson(known, now === undefined ? (Array.isArray(known) ? [] : '') : now)
}

function settleReview(draft: Draft, before: StorySnapshot, context: Context): void {
  const { id, now } = draft
  const known = reviewFields.filter((field) => before[field] !== undefined)
  if (known.every((field) => before[field] === now[field]) && (known.length === 4 || 'reviewFeedback' in now)) return
  const problems = fieldProblems(now, storyFields, reviewFields).map(({ words }) => words)
  if (problems.length > 0) return refuse(context, draft, 'schema', `Story ${id}: ${problems.join('; ')}.`)
  const review = now as unknown as ReviewFields
  const move = classifyMove({ id, before, now: review, mode: context.mode, skipReview: context.rules.skipReview })
  if (move.kind === 'illegal') return refuse(context, draft, 'illegal-transition', move.message)
  if (move.kind === 'no-feedback') {
    miss(context, move.kind, id, describeMissingFeedback(id))
    return putBackReview(draft, context.ledger)
  }
  if (move.kind === 'none') return
  draft.move = move.to
  if (move.kind === 'legal') return
  keep(context.ledger, `${id}.reviewFeedback`, review.reviewFeedback)
  draft.out['reviewFeedback'] = ''
  miss(context, move.kind, id, `Story ${id} was re-submitted with its old reviewFeedback. Set reviewFeedback to "".`)
}
