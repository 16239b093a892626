import { visibleLine } from '../base/visible.ts'
import type { IterationMode, Story, TaskList } from '../model/story.ts'
import { dependencyGraph, isStory, type Graph } from './dependencies.ts'
import { toNode } from './invariants.ts'
import { someOf } from './some-of.ts'

/** What the list asks for next. */
export type Next =
  | { readonly kind: 'iterate'; readonly mode: IterationMode; readonly story: Story }
  /** Every story (or the one asked for) is done. */
  | { readonly kind: 'done' }
  /** Stories are open and none can be worked on without a person; one line a story says why. */
  | { readonly kind: 'waiting'; readonly reasons: readonly string[] }

export interface SelectOptions {
  readonly skipReview: boolean
  /** Work on this story (and its parts) only. */
  readonly only?: string
}

export function isDone(story: Story, skipReview: boolean): boolean {
  return story.passes && (skipReview || story.reviewStatus === 'approved')
}

/**
 * The mode by the seed's priority (fix > review > implement) and the story it is about: the lowest priority number,
 * then the order of the file, among those that nothing holds up.
 */
export function selectStory(list: TaskList, options: SelectOptions): Next {
  const stories = list.userStories
  const wanted = options.only === undefined ? stories : withParts(stories, options.only)
  // Nobody has done what is not there.
  if (options.only !== undefined && wanted.length === 0) {
    return { kind: 'waiting', reasons: [`${visibleLine(options.only, 64)} is not in the list`] }
  }
  const open = wanted.filter((story) => !isDone(story, options.skipReview))
  if (open.length === 0) return { kind: 'done' }
  const held = holdings(stories, options.skipReview)
  const free = open.filter((story) => held(story) === null)

  const inMode = (status: Story['reviewStatus']) => first(free.filter((story) => story.reviewStatus === status))
  if (options.skipReview) {
    const story = first(free.filter((story) => held(story, 'dependencies') === null))
    if (story !== null) return { kind: 'iterate', mode: 'implement', story }
  } else {
    const fix = inMode('changes_requested')
    if (fix !== null) return { kind: 'iterate', mode: 'review-fix', story: fix }
    const review = inMode('needs_review')
    if (review !== null) return { kind: 'iterate', mode: 'review', story: review }
    const fresh = free.filter((story) => story.reviewStatus === null && held(story, 'dependencies') === null)
    const implement = first(fresh)
    if (implement !== null) return { kind: 'iterate', mode: 'implement', story: implement }
  }
  return {
    kind: 'waiting',
    reasons: open.map((story) => `${story.id} ${held(story, 'dependencies')?.() ?? 'cannot be selected'}`),
  }
}

/** The stories that have parts which are not done yet: they wait, and do not count for the mode. */
export function openParts(stories: readonly Story[], skipReview: boolean): ReadonlyMap<string, readonly string[]> {
  const doneIds = new Set(stories.filter((story) => isDone(story, skipReview)).map((story) => story.id))
  return new Map(
    stories.flatMap((story) => {
      const parts = (story.splitInto ?? []).filter((part) => !doneIds.has(part))
      return parts.length === 0 ? [] : [[story.id, parts]]
    }),
  )
}

/**
 * Why a story is held up (`is blocked: …`, written out when asked for), or null. Dependencies hold up new work only,
 * not reviews and fixes.
 */
function holdings(stories: readonly Story[], skipReview: boolean) {
  const parts = openParts(stories, skipReview)
  const graph = dependencyGraph(stories.map(toNode))
  const dependents = reversed(graph)
  const open = new Map(stories.filter((story) => !isDone(story, skipReview)).map((story) => [story.id, story]))
  const blockers = spread([...open.values()].filter(isBlocked), open, dependents)
  const waiting = dependentsOf(open.keys(), dependents)

  return (story: Story, also?: 'dependencies'): (() => string) | null => {
    const by = blockers.get(story.id)
    if (by === story) return () => `is blocked: ${visibleLine(story.blocked ?? '')}`
    if (by !== undefined) return () => `depends on ${by.id}, which is blocked: ${visibleLine(by.blocked ?? '')}`
    const openPartIds = parts.get(story.id)
    if (openPartIds !== undefined) return () => `waits for its parts ${someOf(openPartIds)}`
    if (also === undefined || !waiting.has(story.id)) return null
    return () => {
      const names = dependenciesOf(story.id, graph).filter((id) => open.has(id))
      return `depends on ${someOf(names)}, not done yet`
    }
  }
}

function reversed(graph: Graph): ReadonlyMap<string, readonly string[]> {
  const back = new Map<string, string[]>()
  for (const [name, edges] of graph) {
    for (const edge of edges) {
      const names = back.get(edge)
      if (names === undefined) back.set(edge, [name])
      else names.push(name)
    }
  }
  return back
}

/** From each blocked story to everything open that depends on it, however indirectly: who is held up, and by whom. */
function spread(
  blocked: readonly Story[],
  open: ReadonlyMap<string, Story>,
  dependents: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, Story> {
  const found = new Map(blocked.map((story) => [story.id, story]))
  const todo = [...found]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [name, by] = next
    for (const dependent of dependents.get(name) ?? []) {
      if (found.has(dependent) || (isStory(dependent) && !open.has(dependent))) continue
      found.set(dependent, by)
      todo.push([dependent, by])
    }
  }
  return found
}

/** All that depend on one of these themselves or through the story they came from, and not through another story. */
function dependentsOf(ids: Iterable<string>, dependents: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>()
  const todo = [...ids]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    for (const dependent of dependents.get(name) ?? []) {
      if (found.has(dependent)) continue
      found.add(dependent)
      if (!isStory(dependent)) todo.push(dependent)
    }
  }
  return found
}

/** What a story depends on itself and through the story it came from, in this order. */
function dependenciesOf(id: string, graph: Graph): string[] {
  const found = new Set(graph.get(id))
  for (const name of found) if (!isStory(name)) for (const edge of graph.get(name) ?? []) found.add(edge)
  return [...found].filter(isStory)
}

export const isBlocked = (story: Story): boolean => (story.blocked ?? '').trim() !== ''

function first(stories: readonly Story[]): Story | null {
  let best: Story | null = null
  for (const story of stories) if (best === null || story.priority < best.priority) best = story
  return best
}

/** A story and what it was split into, however often. */
export function withParts(stories: readonly Story[], id: string): Story[] {
  const byId = new Map(stories.map((story) => [story.id, story]))
  const ids = new Set([id])
  for (const name of ids) for (const part of byId.get(name)?.splitInto ?? []) ids.add(part)
  return stories.filter((story) => ids.has(story.id))
}
