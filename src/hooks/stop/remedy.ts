import { sameJson, type Json, type JsonObject } from '../../base/json.ts'
import { shellQuote } from '../../base/shell-quote.ts'
import { visibleLine } from '../../base/visible.ts'
import type { PathChange } from '../../model/observation.ts'
import type { Snapshot, StorySnapshot } from '../../model/snapshot.ts'
import type { IterationMode } from '../../model/story.ts'
import type { Found } from '../../tasks/draft.ts'
import type { Rules } from '../../tasks/rules.ts'

/** What is known of the state before the iteration and now. */
export interface Known {
  readonly before: Snapshot | null
  /** The stories as they are on disk, by id; empty where the list cannot be read. */
  readonly now: ReadonlyMap<string, JsonObject>
  readonly mode: IterationMode
  readonly rules: Rules
  readonly changes: readonly PathChange[]
  /** The commit before the iteration, or a name that leads to it as well as one can. */
  readonly base: string
}

/** What is to be done about what was found of one file, field or story; '' where the messages say it all. */
export function remedyFor(known: Known, found: readonly Found[]): string {
  const [first] = found
  if (first === undefined) return ''
  return first.story === null ? remedyOfProject(known, first) : remedyOfStory(known, first.story, found)
}

/** ` → US-001: set "passes" to false, "reviewStatus" to null.`, or nothing where the messages say it all. */
function remedyOfStory(known: Known, id: string, found: readonly Found[]): string {
  const before = known.before?.stories.get(id)
  const now = known.now.get(id)
  if (before === undefined) return ''
  if (now === undefined) return ` → "git show ${known.base}:${listIn(known)}" has it.`
  const fields = [...new Set(found.flatMap(({ about = [] }) => about))]
  const changesTo = (target: StorySnapshot) =>
    fields.flatMap((field) => setField(field, target[field as keyof StorySnapshot] as Json | undefined, now[field]))
  const isMove = found.some(({ rule }) => rule === 'illegal-transition')
  const meant = isMove ? changesTo(intended(known, id, before, now)) : []
  const settings = meant.length > 0 ? meant : changesTo(before)
  return settings.length === 0 ? '' : ` → ${id}: set ${settings.join(', ')}.`
}

/** What the agent seems to have wanted, in the way in which it is legal; else what was there before. */
function intended({ mode, rules }: Known, id: string, before: StorySnapshot, now: JsonObject): StorySnapshot {
  const status = now['reviewStatus']
  if (mode === 'review') {
    const isVerdict = status === 'approved' || status === 'changes_requested'
    if (before.reviewStatus !== 'needs_review' || !isVerdict) return before
    return { ...before, passes: status === 'approved', reviewStatus: status, reviewCount: before.reviewCount + 1 }
  }
  const isClaimed = now['passes'] === true || status !== before.reviewStatus
  const isReady = before.reviewStatus === (mode === 'implement' ? null : 'changes_requested')
  if (!isClaimed || !isReady || rules.skipReview || (rules.story ?? id) !== id) return before
  return { ...before, reviewStatus: 'needs_review', reviewFeedback: '' }
}

/** A field in words; nothing where it is as it should be, or where nobody knows how it was. */
function setField(field: string, target: Json | undefined, now: Json | undefined): string[] {
  if (target === undefined || sameJson(target, now)) return []
  return [`"${field}" to ${visibleLine(JSON.stringify(target), 400)}`]
}

/** How a file, the list, or one of the list's own fields is put back. */
function remedyOfProject(known: Known, { rule, about }: Found): string {
  if (rule === 'tasks-unreadable') return ` → ${checkout(known, listIn(known))}, then make your own edits again.`
  if (typeof about !== 'string') return ''
  const value = known.before?.top[about as keyof Snapshot['top']] as Json | undefined
  if (value !== undefined) return ` → set ${setField(about, value, undefined).join('')}.`
  const kind = known.changes.find(({ path }) => path === about)?.kind
  if (kind === undefined) return ''
  return kind === 'added' ? ` → rm -r -- ${shellQuote(about)}` : ` → ${checkout(known, about)}`
}

const checkout = ({ base }: Known, path: string): string => `git checkout ${base} -- ${shellQuote(path)}`

const listIn = ({ rules }: Known): string => `${rules.ralphDir}/tasks.json`
