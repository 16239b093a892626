import { sameJson, type Json, type JsonObject } from '../base/json.ts'
import type { StoryMove } from '../model/event.ts'
import type { StorySnapshot } from '../model/snapshot.ts'
import type { IterationMode, Story } from '../model/story.ts'
import type { RuleName, Unfinished, Violation } from '../model/violation.ts'
import type { Rules } from './rules.ts'

/** Something that the referee takes out of the list; it is saved before, so that nothing is lost. */
export interface Rejected {
  /** `US-003.notes`, `US-007` (a whole story), `tasks.json` (all of it). */
  readonly what: string
  readonly value: Json
}

/** A rule, and what to say of the story, list or file whose name stands before it. */
export interface Finding {
  readonly rule: RuleName
  readonly message: string
}

export const breach = (rule: RuleName, message: string): Finding => ({ rule, message })

/** A violation, and the path or field that it is about; `reviewFields` for all four of them. */
export interface Found extends Violation {
  readonly about?: string | typeof reviewFields | undefined
}

/** What one walk over a list finds and does. */
export interface Ledger {
  readonly illegal: Found[]
  readonly unfinished: Unfinished[]
  readonly rejected: Rejected[]
}

export interface Context {
  readonly mode: IterationMode
  readonly rules: Rules
  readonly ledger: Ledger
}

/** One story on its way from what the agent left (`now`) to what may stay (`out`). */
export interface Draft {
  readonly id: string
  /** null for a story that was born in this iteration. */
  readonly before: StorySnapshot | null
  /** The story of the snapshot as it was written; the hook does not have it, and then nothing is put back. */
  readonly original: Story | null
  readonly now: JsonObject
  readonly out: JsonObject
  /** The move that the review fields made, if it is legal taken by itself. */
  move: StoryMove | null
  /** A new `splitInto`, to be looked at when all stories are known. */
  splits: boolean
}

export const reviewFields = ['passes', 'reviewStatus', 'reviewCount', 'reviewFeedback'] as const

/** The review fields that every story is born with. */
export const cleanReview = { passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' } as const

export function reject(
  context: Context,
  rule: RuleName,
  story: string | null,
  message: string,
  about?: Found['about'],
): void {
  context.ledger.illegal.push({ rule, story, message, about })
}

/** What is missing is told, never put back. */
export function miss(context: Context, what: Unfinished['what'], story: string | null, message: string): void {
  context.ledger.unfinished.push({ what, story, message })
}

/** This of a story may not stay: the field that is named, or else its review fields, go back. */
export function refuse(context: Context, draft: Draft, rule: RuleName, message: string, field?: string): void {
  reject(context, rule, draft.id, message, field ?? reviewFields)
  if (field === undefined) putBackReview(draft, context.ledger)
  else putBack(draft, [field], context.ledger)
}

/** Saves what is about to be taken out. */
export function keep(ledger: Ledger, what: string, value: Json): void {
  ledger.rejected.push({ what, value })
}

/** A story, or the list as a whole. */
interface Restorable extends Pick<Draft, 'id' | 'out'> {
  readonly before: object | null
  readonly original: Readonly<Record<string, unknown>> | null
}

/** These fields go back to what they were, or in a new story to what it is born with; what stood there is kept. */
export function putBack(draft: Restorable, fields: readonly string[], ledger: Ledger): void {
  if (draft.before !== null && draft.original === null) return
  const source = draft.original ?? cleanReview
  for (const field of fields) {
    const original = (source as Readonly<Record<string, Json | undefined>>)[field]
    const now = draft.out[field]
    if (now !== undefined && !sameJson(now, original)) keep(ledger, `${draft.id}.${field}`, now)
    if (original === undefined) delete draft.out[field]
    else draft.out[field] = original
  }
}

export function putBackReview(draft: Draft, ledger: Ledger): void {
  draft.move = null
  putBack(draft, reviewFields, ledger)
}

/** Fields of a draft that the schema has already vouched for. */
export const listOf = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? (value as string[]) : [])

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
