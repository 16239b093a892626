import { isId } from '../base/ids.ts'
import { isObject, sameJson, type Json, type JsonObject } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import type { SeenFile } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import { keep, listOf, miss, putBack, reject, textOf, type Context, type Draft } from './draft.ts'
import { describeMissingNotes, fieldProblem, isBlank, parseList, repeatedKey } from './read-tasks.ts'
import { settleDependencies } from './settle-dependencies.ts'
import { settleMoves } from './settle-moves.ts'
import { settleNewStory } from './settle-new-story.ts'
import { settleSplits } from './settle-split.ts'
import { appendProblem, byPeopleOnly, schemaProblem, settleStory } from './settle-story.ts'
import { listFields, type ListField } from './story-fields.ts'

/** The agent's list after the walk: which stories may stay, as what, and in which order. */
export interface SettledList {
  /** The list as it is on disk; null if it cannot be read, and then nothing of it stays. */
  readonly document: JsonObject | null
  /** The fields of the list itself as they may stay. */
  readonly top: JsonObject
  readonly drafts: ReadonlyMap<string, Draft>
  /** Their order in the file; deleted ones are not in it. */
  readonly order: readonly string[]
  /** The one story that moved. */
  readonly moved: Draft | null
  /** A key stands twice in one object, so the list is written anew. */
  readonly repeated: boolean
}

/**
 * One walk over the list that decides what is legal and builds what may stay, so that no rule is written twice and
 * what was repaired cannot be illegal.
 */
export function settleList(
  before: Snapshot,
  now: SeenFile,
  context: Context,
  approvalVoid: string | null,
): SettledList {
  const document = readable(now)
  if (typeof document === 'string') {
    reject(context, 'tasks-unreadable', null, document)
    if (now.kind === 'text') keep(context.ledger, 'tasks.json', now.text)
    return { document: null, top: {}, drafts: new Map(), order: [], moved: null, repeated: false }
  }
  const text = now.kind === 'text' ? now.text : ''
  const repeated = repeatedKey(text, document)
  if (repeated !== null) {
    reject(context, 'schema', null, repeated)
    keep(context.ledger, 'tasks.json', text)
  }
  const top: JsonObject = { ...document }
  settleTop(before, document, top, context)
  const { drafts, order } = draftStories(before, document.userStories, context)
  settleSplits(drafts, context)
  const moved = settleMoves(drafts, context, approvalVoid)
  settleDependencies(drafts, context)
  if (moved !== null) settleNotes(moved, context)
  if (context.mode === 'review' && moved === null) missVerdict(context)
  return { document, top, drafts, order, moved, repeated: repeated !== null }
}

function readable(now: SeenFile): (JsonObject & { userStories: Json[] }) | string {
  if (now.kind !== 'text') return describeUnread(now)
  const parsed = parseList(now.text)
  return parsed.ok ? parsed.value : parsed.error.message
}

export const describeUnread = (seen: Exclude<SeenFile, { kind: 'text' }>): string =>
  seen.kind === 'missing'
    ? 'tasks.json is missing. Put it back.'
    : `tasks.json cannot be read: ${seen.why}. Put a regular file back.`

function settleTop(before: Snapshot, document: JsonObject, out: JsonObject, context: Context): void {
  const list = { id: 'tasks.json', before, original: before.list, out }
  for (const field of Object.keys(listFields) as ListField[]) {
    if (before.list !== null && sameJson(before.list[field], document[field])) continue
    const problem = fieldProblem(document, field, listFields[field])
    const finding = problem === null ? topRule(before, document, field, context) : schemaProblem(field, problem)
    if (finding === null) continue
    reject(context, finding.rule, null, `tasks.json: ${finding.message}`, field)
    putBack(list, [field], context.ledger)
  }
}

function topRule(before: Snapshot, document: JsonObject, field: ListField, { mode }: Context) {
  if (field === 'description') return null
  const known = before.top[field]
  const now = document[field] ?? []
  if (known === undefined || sameJson(known, now)) return null
  return field === 'verifyCommands' ? appendProblem(listOf(known as Json), listOf(now), mode) : byPeopleOnly(field)
}

/** Every story that may stay, by id, and the order of the agent's. */
function draftStories(before: Snapshot, items: readonly Json[], context: Context) {
  const drafts = new Map<string, Draft>()
  const originals = new Map((before.list?.userStories ?? []).map((story) => [story.id, story]))
  const taken = new Set([...before.stories.keys()].map((id) => id.toLowerCase()))
  const freePriority = 1 + items.reduce<number>((most, item) => Math.max(most, priorityOf(item)), 0)

  const begin = (id: string, now: JsonObject, out: JsonObject): Draft => {
    const draft = { id, before: before.stories.get(id) ?? null, original: originals.get(id) ?? null, now, out }
    return { ...draft, move: null, splits: false }
  }
  for (const [index, item] of items.entries()) {
    const place = `userStories[${index}]`
    const id = isObject(item) ? textOf(item['id']) : ''
    if (!isObject(item) || !isId(id)) {
      const what = isObject(item)
        ? `id ${visibleLine(JSON.stringify(item['id'] ?? null), 80)} is not a valid id`
        : 'is not a story'
      reject(context, 'schema', null, `${place}: ${what}. Remove it or give it a new id.`)
      keep(context.ledger, place, item)
      continue
    }
    const draft = begin(id, item, { ...item })
    if (drafts.has(id) || (draft.before === null && taken.has(id.toLowerCase()))) {
      const message = `Story ${id}: the id is used twice (case does not count). Remove the second one.`
      reject(context, 'duplicate-story', id, message)
      keep(context.ledger, place, item)
      continue
    }
    if (draft.before !== null) settleStory(draft, draft.before, context)
    else if (!settleNewStory(draft, context, freePriority)) {
      keep(context.ledger, id, item)
      continue
    }
    taken.add(id.toLowerCase())
    drafts.set(id, draft)
  }
  const order = [...drafts.keys()]
  // What was deleted is there again for the rules to come.
  for (const id of before.stories.keys()) {
    if (drafts.has(id)) continue
    reject(context, 'story-deleted', id, `Story ${id} was deleted. Stories may not be deleted; put it back.`)
    const now = { ...(originals.get(id) as JsonObject | undefined) }
    drafts.set(id, begin(id, now, now))
  }
  return { drafts, order }
}

const priorityOf = (item: Json): number => {
  const priority = isObject(item) ? item['priority'] : null
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : 0
}

/** An approval needs a note of what was done; where none was written, the list says so instead of breaking its schema. */
function settleNotes(draft: Draft, context: Context): void {
  const passed = draft.move === 'approved' || draft.move === 'passed_unreviewed'
  if (!passed || !isBlank(draft.out['notes'])) return
  miss(context, 'no-notes', draft.id, describeMissingNotes(`Story ${draft.id}`))
  draft.out['notes'] = `${textOf(draft.out['notes'])}(Nobody wrote notes on this story.)`
}

function missVerdict(context: Context): void {
  const missing = context.ledger.unfinished.find((item) => item.what === 'no-feedback')
  const story = missing?.story ?? context.rules.story ?? null
  const on = story === null ? '' : ` on story ${story}`
  const how = 'set reviewStatus to "approved" (with passes=true) or "changes_requested" (with reviewFeedback)'
  miss(context, 'no-verdict', story, `Review iteration without a verdict${on}: ${how}, and reviewCount one higher.`)
}
