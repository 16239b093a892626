import { sameJson, type JsonObject } from '../base/json.ts'
import type { StoryMove } from '../model/event.ts'
import type { SeenFile } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import type { TaskList } from '../model/story.ts'
import { keep, reject, type Context } from './draft.ts'
import { writeTasks } from './read-tasks.ts'
import type { SettledList } from './settle-list.ts'

/** What may stay of the agent's list, as it is written. */
export interface BuiltList {
  /** Null where the snapshot has no list to build on. */
  readonly list: TaskList | null
  /** Whether the legal list differs from what is on disk. */
  readonly differs: boolean
  /** The one story that moved, and to where. */
  readonly move: { readonly story: string; readonly to: StoryMove } | null
}

/** The legal list from the walk over the agent's; one that has grown beyond all measure goes back as a whole. */
export function buildList(before: Snapshot, now: SeenFile, settled: SettledList, context: Context): BuiltList {
  const { document, top, moved, drafts } = settled
  if (document === null) return { list: before.list, differs: true, move: null }
  const move = moved === null || moved.move === null ? null : { story: moved.id, to: moved.move }
  if (before.list === null) return { list: null, differs: false, move }
  const list: JsonObject = { ...top, userStories: orderOf(before, settled).map((id) => drafts.get(id)?.out ?? null) }
  if (now.kind === 'text' && isTooLarge(list, now.text, before.list)) {
    reject(context, 'schema', null, `tasks.json is longer than ${maxListChars} characters. Put it back, and be brief.`)
    keep(context.ledger, 'tasks.json', now.text)
    return { list: before.list, differs: true, move: null }
  }
  return { list: list as unknown as TaskList, differs: settled.repeated || !sameJson(list, document), move }
}

/** The agent's order, with deleted stories back behind their neighbours. */
function orderOf(before: Snapshot, { order }: SettledList): string[] {
  // Each story of the agent's order leads those that are put back behind it.
  const groups = new Map([null, ...order].map((id) => [id, id === null ? [] : [id]]))
  let group = groups.get(null)
  for (const id of before.stories.keys()) {
    if (groups.has(id)) group = groups.get(id)
    else group?.push(id)
  }
  return [...groups.values()].flat()
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
