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

/** What one walk over a list finds and does. */
export interface Ledger {
  readonly illegal: Violation[]
  readonly unfinished: Unfinished[]
  readonly rejected: Rejected[]
  /** How many verifyCommands were added. */
  commands: number
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

export function reject(context: Context, rule: RuleName, story: string | null, message: string): void {
  context.ledger.illegal.push({ rule, story, message })
}

/** Saves what is about to be taken out. */
export function keep(ledger: Ledger, what: string, value: Json): void {
  ledger.rejected.push({ what, value })
}

/** These fields of a story go back to what they were; what stood there is kept as rejected. */
export function putBack(draft: Draft, fields: readonly string[], ledger: Ledger): void {
  for (const field of fields) {
    const original = draft.original === null ? undefined : draft.original[field]
    const now = Object.hasOwn(draft.out, field) ? draft.out[field] : undefined
    if (draft.before !== null && draft.original === null) continue
    if (now !== undefined && !sameJson(now, original)) keep(ledger, `${draft.id}.${field}`, now)
    if (original === undefined) delete draft.out[field]
    else draft.out[field] = original
  }
}

export function putBackReview(draft: Draft, ledger: Ledger): void {
  draft.move = null
  if (draft.before !== null) return putBack(draft, reviewFields, ledger)
  for (const field of reviewFields) {
    const now = draft.out[field]
    if (now !== undefined && now !== cleanReview[field]) keep(ledger, `${draft.id}.${field}`, now)
    draft.out[field] = cleanReview[field]
  }
}

/** Fields of a draft that the schema has already vouched for. */
export const listOf = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? (value as string[]) : [])

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
