import type { Story } from '../model/story.ts'
import type { Advice } from './advice.ts'
import { someOf } from './some-of.ts'

/** Whether the numbers of the list tell the order in which it can be built. Circles and unknown names are errors, not advice. */
export function adviseOrder(open: readonly Story[]): Advice[] {
  return [...advisePriorities(open), ...adviseLayers(open)]
}

function advisePriorities(open: readonly Story[]): Advice[] {
  const byId = new Map(open.map((story) => [story.id, story]))
  return open.flatMap(({ id, priority, dependsOn = [] }) => {
    const later = dependsOn.filter((name) => (byId.get(name)?.priority ?? priority) > priority)
    if (later.length === 0) return []
    const what = `has priority ${priority} but waits for ${someOf(later)} with a higher number; other stories come in between.`
    const fix = 'Number the stories in the order in which they can be built: what others depend on first.'
    return [{ rule: 'order', story: id, what, fix }]
  })
}

/** From the ground up, by words of the title. What fits two of them fits none. */
const kinds: readonly (readonly [name: string, words: RegExp])[] = [
  ['database', /\b(?:schema|migrations?|database|sql|ddl)\b/i],
  ['API', /\b(?:api|endpoints?|routes?)\b/i],
  ['frontend', /\b(?:ui|frontend|pages?|components?|buttons?|dropdowns?|screens?|dialogs?|modals?)\b/i],
]

/** Only a hint: a title is no proof of what a story needs. */
function adviseLayers(open: readonly Story[]): Advice[] {
  const advice: Advice[] = []
  let highest: { readonly story: Story; readonly layer: number } | null = null
  for (const story of open.toSorted((a, b) => a.priority - b.priority)) {
    const layer = layerOf(story.title)
    if (layer === null) continue
    const above = highest
    if (above === null || layer >= above.layer) highest = { story, layer }
    else if (above.story.dependsOn?.includes(story.id) !== true && !story.dependsOn?.includes(above.story.id)) {
      const name = (index: number) => kinds[index]?.[0] ?? ''
      const what = `(${name(layer)}) comes after ${above.story.id} (${name(above.layer)}).`
      const fix = `If ${above.story.id} needs it, put it first and name it in dependsOn: database, logic, API, frontend, then what joins them.`
      advice.push({ rule: 'order', story: story.id, what, fix })
    }
  }
  return advice
}

function layerOf(title: string): number | null {
  const fitting = kinds.flatMap(([, words], index) => (words.test(title.slice(0, 500)) ? [index] : []))
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}
