import { sameJson } from '../base/json.ts'
import { findCircles, type Node } from './dependencies.ts'
import { keep, listOf, putBack, reject, type Context, type Draft } from './draft.ts'
import { someOf } from './some-of.ts'

/** `dependsOn` may change freely among known stories, as long as nobody comes to wait for himself. */
export function settleDependencies(drafts: ReadonlyMap<string, Draft>, context: Context): void {
  const changed = new Set(
    [...drafts.values()].filter(
      (draft) => !sameJson(draft.before === null ? [] : draft.before.dependsOn, listOf(draft.out['dependsOn'])),
    ),
  )
  const stays = new Map<string, readonly string[]>()
  for (const draft of changed) {
    if (draft.before !== null && draft.before.dependsOn === undefined) continue
    const unknown = listOf(draft.out['dependsOn']).filter((id) => !drafts.has(id))
    if (unknown.length === 0) continue
    stays.set(draft.id, drop(draft, unknown, context, `names ${someOf(unknown)}, which is not in the list`))
    if (draft.before !== null) changed.delete(draft)
  }
  dropCircles(drafts, changed, stays, context)
}

/**
 * Every change that has part in a circle is dropped; of a new story only the names inside of it. What comes back can
 * close another one with what stayed, so it is looked at again, and then all changes go. `stays` is what is left of
 * the changes that were dropped: the hook cannot write it into the story.
 */
function dropCircles(
  drafts: ReadonlyMap<string, Draft>,
  changed: Set<Draft>,
  stays: Map<string, readonly string[]>,
  context: Context,
): void {
  for (let look = 0; changed.size > 0; look++) {
    const circles = findCircles(nodesOf(drafts, stays))
    if (circles.length === 0) return
    let isTheirs = true
    for (const part of look < 3 ? circles : [[...drafts.keys()]]) {
      const ids = new Set(part)
      for (const draft of part.map((id) => drafts.get(id))) {
        if (draft === undefined || !changed.delete(draft)) continue
        isTheirs = false
        const closing = listOf(draft.out['dependsOn']).filter((id) => ids.has(id))
        if (draft.before === null && closing.length === 0) continue
        stays.set(draft.id, drop(draft, closing, context, `makes stories wait for each other (${someOf(part)})`))
      }
    }
    // The snapshot has a circle of its own: not this agent's doing.
    if (isTheirs) return
  }
}

/** Takes these names out of a new story, and the whole change back from an old one; returns what stays. */
function drop(draft: Draft, ids: readonly string[], context: Context, why: string): readonly string[] {
  reject(context, 'dependencies', draft.id, `Story ${draft.id}: dependsOn ${why}.`, 'dependsOn')
  if (draft.before !== null) {
    putBack(draft, ['dependsOn'], context.ledger)
    return draft.before.dependsOn ?? []
  }
  const dropped = new Set(ids)
  const kept = listOf(draft.out['dependsOn']).filter((id) => !dropped.has(id))
  keep(context.ledger, `${draft.id}.dependsOn`, [...ids])
  draft.out['dependsOn'] = kept
  return kept
}

function nodesOf(drafts: ReadonlyMap<string, Draft>, stays: ReadonlyMap<string, readonly string[]>): Node[] {
  return Array.from(drafts.values(), (draft) => ({
    id: draft.id,
    dependsOn: stays.get(draft.id) ?? listOf(draft.out['dependsOn']),
    splitInto: listOf(draft.out['splitInto']),
  }))
}
