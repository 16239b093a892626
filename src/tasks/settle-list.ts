import { isId } from '../base/ids.ts'
import { isObject, sameJson, type Json, type JsonObject } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import type { StoryMove } from '../model/event.ts'
import type { SeenFile } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import type { Story, TaskList } from '../model/story.ts'
import type { RuleName } from '../model/violation.ts'
import { keep, reject, textOf, type Context, type Draft } from './draft.ts'
import { describeMissingNotes, fieldProblem, isBlank, parseList, repeatedKey, writeTasks } from './read-tasks.ts'
import { settleDependencies } from './settle-dependencies.ts'
import { settleMoves } from './settle-moves.ts'
import { settleNewStory } from './settle-new-story.ts'
import { settleSplits } from './settle-split.ts'
import { appendProblem, settleStory } from './settle-story.ts'
import { listFields, type ListField } from './story-fields.ts'

/** What may stay of the agent's list. */
export interface SettledList {
  /** The legal list; null in the hook, which has nothing to put back. */
  readonly list: TaskList | null
  /** Whether the legal list differs from what is on disk. */
  readonly differs: boolean
  /** The one story that moved, and to where. */
  readonly move: { readonly story: string; readonly to: StoryMove } | null
}

/**
 * One walk over the list that decides what is legal and builds what may stay, so that no rule is written twice and
 * what was repaired cannot be illegal.
 */
export function settleList(
  before: Snapshot,
  now: SeenFile,
  context: Context,
  options: { readonly approvalVoid: string | null },
): SettledList {
  const document = readable(now)
  if (typeof document === 'string') {
    reject(context, 'tasks-unreadable', null, document)
    if (now.kind === 'text') keep(context.ledger, 'tasks.json', now.text)
    return { list: before.list, differs: true, move: null }
  }
  const repeated = now.kind === 'text' ? repeatedKey(now.text) : null
  if (now.kind === 'text' && repeated !== null) {
    reject(context, 'schema', null, repeated)
    keep(context.ledger, 'tasks.json', now.text)
  }
  const out: JsonObject = { ...document }
  settleTop(before, document, out, context)
  const { drafts, order } = draftStories(before, document.userStories, context)
  settleSplits(drafts, context)
  const moved = settleMoves(drafts, context, options)
  settleDependencies(drafts, context)
  if (moved !== null) settleNotes(moved, context)
  if (context.mode === 'review' && moved === null) context.ledger.unfinished.push(noVerdict(context))

  const stories = order.map((id) => drafts.get(id)?.out ?? null)
  if (before.list === null) return { list: null, differs: false, move: toMove(moved) }
  out['userStories'] = stories
  if (now.kind === 'text' && isTooLarge(out, now.text, before.list)) {
    reject(context, 'schema', null, `tasks.json is longer than ${maxListChars} characters. Put it back, and be brief.`)
    keep(context.ledger, 'tasks.json', now.text)
    return { list: before.list, differs: true, move: null }
  }
  return {
    list: out as unknown as TaskList,
    differs: repeated !== null || !sameJson(out, document),
    move: toMove(moved),
  }
}

/** Far below what can be read: the runner has to write into the list as well, and the marker holds most of it. */
const maxListChars = 2_000_000
/** For a list of people's that is longer to begin with. */
const growthChars = 20_000
/** Indented, a text grows by its depth at most. */
const surelyFits = Math.floor(maxListChars / 150)

/** As the runner would write it: a few hundred kilobytes of brackets are megabytes when each has a line of its own. */
function isTooLarge(list: JsonObject, text: string, before: TaskList): boolean {
  if (text.length <= surelyFits) return false
  const { length } = writeTasks(list)
  return length > maxListChars && length > writeTasks(before).length + growthChars
}

const toMove = (draft: Draft | null) =>
  draft === null || draft.move === null ? null : { story: draft.id, to: draft.move }

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
  for (const field of Object.keys(listFields) as ListField[]) {
    const original = before.list?.[field] as Json | undefined
    if (before.list !== null && sameJson(original, document[field])) continue
    const problem = fieldProblem(document, field, listFields[field])
    const finding: { rule: RuleName; message: string } | null =
      problem === null
        ? topRule(before, document, field, context)
        : { rule: 'schema', message: `tasks.json: ${field} ${problem}.` }
    if (finding === null) continue
    reject(context, finding.rule, null, finding.message)
    if (before.list === null) continue
    if (document[field] !== undefined) keep(context.ledger, `tasks.json.${field}`, document[field])
    if (original === undefined) delete out[field]
    else out[field] = original
  }
}

function topRule(before: Snapshot, document: JsonObject, field: ListField, context: Context) {
  if (field === 'description') return null
  const known = before.top[field]
  const now = document[field] === undefined ? [] : document[field]
  if (known === undefined || sameJson(known, now)) return null
  if (field !== 'verifyCommands') {
    return {
      rule: 'people-only-field' as const,
      message: `tasks.json: ${field} is written by people only. Put it back.`,
    }
  }
  return appendProblem({ known: before.top.verifyCommands, now: now as string[], name: 'tasks.json' }, context)
}

/** Every story that may stay, by id, and their order: the agent's, with deleted ones back behind their neighbours. */
function draftStories(before: Snapshot, items: readonly Json[], context: Context) {
  const drafts = new Map<string, Draft>()
  const order: string[] = []
  const originals = new Map((before.list?.userStories ?? []).map((story) => [story.id, story]))
  const taken = new Set([...before.stories.keys()].map((id) => id.toLowerCase()))
  const freePriority = 1 + items.reduce<number>((most, item) => Math.max(most, priorityOf(item)), 0)

  for (const [index, item] of items.entries()) {
    const id = isObject(item) && typeof item['id'] === 'string' ? item['id'] : null
    if (!isObject(item) || id === null || !isId(id)) {
      const what = isObject(item)
        ? `id ${visibleLine(JSON.stringify(item['id'] ?? null), 80)} is not a valid id`
        : 'is not a story'
      reject(context, 'schema', null, `userStories[${index}]: ${what}. Remove it or give it a new id.`)
      keep(context.ledger, `userStories[${index}]`, item)
      continue
    }
    const snapshot = before.stories.get(id) ?? null
    if (drafts.has(id) || (snapshot === null && taken.has(id.toLowerCase()))) {
      reject(
        context,
        'duplicate-story',
        id,
        `Story ${id}: the id is used twice (case does not count). Remove the second one.`,
      )
      keep(context.ledger, `userStories[${index}]`, item)
      continue
    }
    const draft: Draft = {
      id,
      before: snapshot,
      original: originals.get(id) ?? null,
      now: item,
      out: { ...item },
      move: null,
      splits: false,
    }
    if (snapshot !== null) settleStory(draft, snapshot, context)
    else if (!settleNewStory(draft, context, freePriority)) {
      keep(context.ledger, id, item)
      continue
    }
    taken.add(id.toLowerCase())
    drafts.set(id, draft)
    order.push(id)
  }
  return { drafts, order: restoreDeleted(before, { drafts, order, originals }, context) }
}

function restoreDeleted(
  before: Snapshot,
  list: { drafts: Map<string, Draft>; order: readonly string[]; originals: ReadonlyMap<string, Story> },
  context: Context,
): string[] {
  const { drafts, order, originals } = list
  // Each story of the agent's order leads those that are put back behind it.
  const groups = new Map([null, ...order].map((id) => [id, id === null ? [] : [id]]))
  let group = groups.get(null)
  for (const [id, snapshot] of before.stories) {
    if (drafts.has(id)) {
      group = groups.get(id)
      continue
    }
    reject(context, 'story-deleted', id, `Story ${id} was deleted. Stories may not be deleted; put it back.`)
    const original = originals.get(id) ?? null
    const now = { ...(original as JsonObject | null) }
    drafts.set(id, { id, before: snapshot, original, now, out: now, move: null, splits: false })
    group?.push(id)
  }
  return [...groups.values()].flat()
}

const priorityOf = (item: Json): number => {
  const priority = isObject(item) ? item['priority'] : null
  return typeof priority === 'number' && Number.isFinite(priority) ? priority : 0
}

/** An approval needs a note of what was done; where none was written, the list says so instead of breaking its schema. */
function settleNotes(draft: Draft, context: Context): void {
  const passed = draft.move === 'approved' || draft.move === 'passed_unreviewed'
  if (!passed || !isBlank(draft.out['notes'])) return
  context.ledger.unfinished.push({
    what: 'no-notes',
    story: draft.id,
    message: describeMissingNotes(`Story ${draft.id}`),
  })
  draft.out['notes'] = `${textOf(draft.out['notes'])}(Nobody wrote notes on this story.)`
}

function noVerdict({ rules, ledger }: Context) {
  const missing = ledger.unfinished.find((item) => item.what === 'no-feedback')
  const story = missing?.story ?? rules.story ?? null
  return {
    what: 'no-verdict' as const,
    story,
    message: `Review iteration without a verdict${story === null ? '' : ` on story ${story}`}: set reviewStatus to "approved" (with passes=true) or "changes_requested" (with reviewFeedback), and reviewCount one higher.`,
  }
}
