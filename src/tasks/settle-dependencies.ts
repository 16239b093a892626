import { sameJson } from '../base/json.ts'
import { findCycle, waitsFor, type Node } from './dependencies.ts'
import { listOf, putBack, reject, type Context, type Draft } from './draft.ts'

/** `dependsOn` may change freely among known stories, as long as nobody comes to wait for himself. */
export function settleDependencies(drafts: ReadonlyMap<string, Draft>, context: Context): void {
  const changed = [...drafts.values()].filter(
    (draft) => !sameJson(draft.before === null ? [] : draft.before.dependsOn, listOf(draft.out['dependsOn'])),
  )
  for (const draft of changed) {
    if (draft.before !== null && draft.before.dependsOn === undefined) continue
    const unknown = listOf(draft.out['dependsOn']).filter((id) => !drafts.has(id))
    if (unknown.length > 0) drop(draft, unknown, context, `names ${unknown.join(', ')}, which is not in the list`)
  }
  if (changed.length > 0) dropCycles(drafts, changed, context)
}

/** Only when there is a circle: the changes are tried one by one, and those that close one are dropped. */
function dropCycles(drafts: ReadonlyMap<string, Draft>, changed: readonly Draft[], context: Context): void {
  if (findCycle(waitsFor(nodes(drafts, new Map()))) === null) return
  const pending = new Map(changed.map((draft) => [draft.id, draft.before?.dependsOn ?? []]))
  if (findCycle(waitsFor(nodes(drafts, pending))) !== null) return // the snapshot itself has one: not this agent's doing
  for (const draft of changed) {
    const old = pending.get(draft.id) ?? []
    pending.delete(draft.id)
    const cycle = findCycle(waitsFor(nodes(drafts, pending)))
    if (cycle === null) continue
    if (draft.before !== null) drop(draft, [], context, `makes a story wait for itself (${cycle.join(' → ')})`)
    else dropClosing(draft, drafts, pending, context)
    if (draft.before !== null && draft.original === null) pending.set(draft.id, old)
  }
}

/** Of a new story only the names that close a circle are dropped. */
function dropClosing(
  draft: Draft,
  drafts: ReadonlyMap<string, Draft>,
  pending: Map<string, readonly string[]>,
  context: Context,
): void {
  const closing: string[] = []
  const kept: string[] = []
  for (const id of listOf(draft.out['dependsOn'])) {
    pending.set(draft.id, [...kept, id])
    if (findCycle(waitsFor(nodes(drafts, pending))) === null) kept.push(id)
    else closing.push(id)
  }
  pending.delete(draft.id)
  drop(draft, closing, context, `makes a story wait for itself through ${closing.join(', ')}`)
}

function drop(draft: Draft, ids: readonly string[], context: Context, why: string): void {
  reject(context, 'dependencies', draft.id, `Story ${draft.id}: dependsOn ${why}.`)
  if (draft.before !== null) return putBack(draft, ['dependsOn'], context.ledger)
  context.ledger.rejected.push({ what: `${draft.id}.dependsOn`, value: [...ids] })
  draft.out['dependsOn'] = listOf(draft.out['dependsOn']).filter((id) => !ids.includes(id))
}

function nodes(drafts: ReadonlyMap<string, Draft>, instead: ReadonlyMap<string, readonly string[]>): Node[] {
  return [...drafts.values()].map((draft) => ({
    id: draft.id,
    dependsOn: instead.get(draft.id) ?? listOf(draft.out['dependsOn']),
    splitInto: listOf(draft.out['splitInto']),
  }))
}
