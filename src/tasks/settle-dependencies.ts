import { sameJson } from '../base/json.ts'
import { findCircles, waitsFor, type Node } from './dependencies.ts'
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
  if (changed.length > 0) dropCircles(drafts, changed, context)
}

/**
 * Every change that has part in a circle is dropped; of a new story only the names inside of it. What comes back can
 * close another one with what stayed, so it is looked at again, and then all changes go.
 */
function dropCircles(drafts: ReadonlyMap<string, Draft>, changed: readonly Draft[], context: Context): void {
  const before = new Map(changed.map((draft) => [draft.id, draft.before?.dependsOn ?? []]))
  const put = new Map<string, readonly string[]>()
  const open = new Set(changed)
  for (let look = 0; open.size > 0; look++) {
    const circles = findCircles(waitsFor(nodes(drafts, put)))
    if (circles.length === 0) return
    const parts = look < 3 ? circles.map((circle) => new Set(circle)) : [new Set(drafts.keys())]
    const partOf = new Map(parts.flatMap((part) => Array.from(part, (id) => [id, part])))
    const dropped = [...open].filter((draft) => partOf.has(draft.id))
    // The snapshot has a circle of its own: not this agent's doing.
    if (dropped.length === 0) return
    for (const draft of dropped) {
      const part = partOf.get(draft.id) ?? new Set()
      const closing = listOf(draft.out['dependsOn']).filter((id) => part.has(id))
      open.delete(draft)
      put.set(
        draft.id,
        draft.before === null
          ? listOf(draft.out['dependsOn']).filter((id) => !part.has(id))
          : (before.get(draft.id) ?? []),
      )
      if (draft.before === null && closing.length === 0) continue
      drop(draft, closing, context, `makes stories wait for each other (${[...part].slice(0, 10).join(', ')})`)
    }
  }
}

function drop(draft: Draft, ids: readonly string[], context: Context, why: string): void {
  reject(context, 'dependencies', draft.id, `Story ${draft.id}: dependsOn ${why}.`)
  if (draft.before !== null) return putBack(draft, ['dependsOn'], context.ledger)
  context.ledger.rejected.push({ what: `${draft.id}.dependsOn`, value: [...ids] })
  draft.out['dependsOn'] = listOf(draft.out['dependsOn']).filter((id) => !ids.includes(id))
}

function nodes(drafts: ReadonlyMap<string, Draft>, instead: ReadonlyMap<string, readonly string[]>): Node[] {
  return Array.from(drafts.values(), (draft) => ({
    id: draft.id,
    dependsOn: instead.get(draft.id) ?? listOf(draft.out['dependsOn']),
    splitInto: listOf(draft.out['splitInto']),
  }))
}
