import { sameJson, type Json } from '../base/json.ts'
import { unreachable } from '../base/unreachable.ts'
import type { StorySnapshot } from '../model/snapshot.ts'
import type { ReviewFields } from '../model/story.ts'
import type { RuleName } from '../model/violation.ts'
import {
  keep,
  listOf,
  putBack,
  putBackReview,
  reject,
  reviewFields,
  textOf,
  type Context,
  type Draft,
  type Ledger,
} from './draft.ts'
import { describeMissingFeedback } from './invariants.ts'
import { fieldProblem } from './read-tasks.ts'
import { classifyMove } from './review-move.ts'
import { storyFields, type StoryField } from './story-fields.ts'

/** A story of the snapshot, field by field: what may not change goes back to what it was. */
export function settleStory(draft: Draft, before: StorySnapshot, context: Context): void {
  for (const field of Object.keys(storyFields) as StoryField[]) {
    if (field === 'id' || isReviewField(field)) continue
    if (unchanged(draft, before, field)) continue
    const problem = fieldProblem(draft.now, field, storyFields[field])
    const finding =
      problem === null
        ? ruleOn(draft, before, field, context)
        : { rule: 'schema' as const, message: `Story ${draft.id}: ${field} ${problem}.` }
    if (finding === null) continue
    reject(context, finding.rule, draft.id, finding.message)
    putBack(draft, [field], context.ledger)
  }
  settleReview(draft, before, context)
}

type RuledField = Exclude<StoryField, 'id' | keyof ReviewFields>

const isReviewField = (field: StoryField): field is keyof ReviewFields =>
  (reviewFields as readonly string[]).includes(field)

interface Finding {
  readonly rule: RuleName
  readonly message: string
}

/** The row of "What an iteration may change" that speaks of this field, now that it changed and is well-formed. */
function ruleOn(draft: Draft, before: StorySnapshot, field: RuledField, context: Context): Finding | null {
  const { mode, rules } = context
  const { id, now } = draft
  const known = before[field as keyof StorySnapshot]
  const ours = rules.story === undefined || rules.story === id
  switch (field) {
    case 'title':
    case 'description':
    case 'acceptanceCriteria':
      return known === undefined
        ? null
        : { rule: 'frozen-field', message: `Story ${id}: ${field} may not change during a loop. Put it back.` }
    case 'notes':
      return known === undefined || textOf(now['notes']).startsWith(textOf(known as Json))
        ? null
        : {
            rule: 'notes-shortened',
            message: `Story ${id}: notes may only grow. Put the old text back and append to it.`,
          }
    case 'mayChange':
      return known === undefined
        ? null
        : { rule: 'people-only-field', message: `Story ${id}: mayChange is written by people only. Put it back.` }
    case 'verifyCommands':
      return appendProblem(
        { known: before.verifyCommands, now: listOf(now['verifyCommands']), name: `Story ${id}` },
        context,
      )
    case 'blocked':
      if (known === undefined || textOf(now['blocked']).trim() === textOf(known as Json).trim()) return null
      if (mode === 'review')
        return { rule: 'blocked', message: `Story ${id}: a review iteration may not change blocked. Put it back.` }
      if (!ours)
        return {
          rule: 'blocked',
          message: `Story ${id}: only the story of this iteration (${rules.story}) may be blocked. Put blocked back.`,
        }
      return textOf(known as Json).trim() === ''
        ? null
        : { rule: 'blocked', message: `Story ${id}: blocked is cleared or changed by people only. Put it back.` }
    case 'splitInto':
      if (known === undefined) return null
      if (mode === 'review')
        return { rule: 'split', message: `Story ${id}: a review iteration may not split stories. Put splitInto back.` }
      if (!ours)
        return {
          rule: 'split',
          message: `Story ${id}: only the story of this iteration (${rules.story}) may be split. Put splitInto back.`,
        }
      if (listOf(known as Json).length > 0) {
        return { rule: 'split', message: `Story ${id}: splitInto is set once and may not change. Put it back.` }
      }
      draft.splits = true
      return null
    case 'priority':
    case 'dependsOn':
      return null
    default:
      return unreachable(field)
  }
}

/** Each is run again and again, and may take its ten minutes. */
const maxNewCommands = 50

/** Checks may be added, never taken away or changed: for a story and for the whole list alike. */
export function appendProblem(
  field: { readonly known: readonly string[] | undefined; readonly now: readonly string[]; readonly name: string },
  { mode, ledger }: Context,
): Finding | null {
  const { known, now, name } = field
  if (known === undefined || sameJson(known, now)) return null
  if (mode === 'review') {
    return {
      rule: 'verify-commands',
      message: `${name}: a review iteration may not change verifyCommands. Put them back.`,
    }
  }
  if (known.some((command, index) => command !== now[index]))
    return {
      rule: 'verify-commands',
      message: `${name}: verifyCommands may only be added at the end. Put the others back.`,
    }
  return newCommandsProblem(field, ledger)
}

/** However they are spread over the list and its stories. */
export function newCommandsProblem(
  { known = [], now, name }: Parameters<typeof appendProblem>[0],
  ledger: Ledger,
): Finding | null {
  ledger.commands += now.length - known.length
  return ledger.commands <= maxNewCommands
    ? null
    : { rule: 'verify-commands', message: `${name}: more than ${maxNewCommands} new verifyCommands. Take them out.` }
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
  const problems = reviewFields.flatMap((field) => {
    const problem = fieldProblem(now, field, storyFields[field])
    return problem === null ? [] : [`${field} ${problem}`]
  })
  if (problems.length > 0) {
    reject(context, 'schema', id, `Story ${id}: ${problems.join('; ')}.`)
    return putBackReview(draft, context.ledger)
  }
  const review = Object.fromEntries(reviewFields.map((field) => [field, now[field]])) as unknown as ReviewFields
  const move = classifyMove({ id, before, now: review, mode: context.mode, skipReview: context.rules.skipReview })
  switch (move.kind) {
    case 'none':
      return
    case 'legal':
      draft.move = move.to
      return
    case 'feedback-not-cleared':
      draft.move = move.to
      keep(context.ledger, `${id}.reviewFeedback`, review.reviewFeedback)
      draft.out['reviewFeedback'] = ''
      context.ledger.unfinished.push({
        what: 'feedback-not-cleared',
        story: id,
        message: `Story ${id} was re-submitted with its old reviewFeedback. Set reviewFeedback to "".`,
      })
      return
    case 'no-feedback':
      context.ledger.unfinished.push({
        what: 'no-feedback',
        story: id,
        message: describeMissingFeedback(id),
      })
      return putBackReview(draft, context.ledger)
    case 'illegal':
      reject(context, 'illegal-transition', id, move.message)
      return putBackReview(draft, context.ledger)
  }
}
