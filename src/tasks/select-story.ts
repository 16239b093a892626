import { visibleLine } from '../base/visible.ts'
import type { IterationMode, Story, TaskList } from '../model/story.ts'
import { inheritedDependencies } from './dependencies.ts'
import { toNode } from './invariants.ts'

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
    reasons: open.map((story) => `${story.id} ${held(story) ?? held(story, 'dependencies') ?? 'cannot be selected'}`),
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

/** Why a story is held up (`is blocked: …`), or null. Dependencies hold up new work only, not reviews and fixes. */
function holdings(stories: readonly Story[], skipReview: boolean) {
  const byId = new Map(stories.map((story) => [story.id, story]))
  const parts = openParts(stories, skipReview)
  const inherited = inheritedDependencies(stories.map(toNode))
  const openDependencies = (story: Story): Story[] =>
    [...new Set([...(story.dependsOn ?? []), ...(inherited.get(story.id) ?? [])])].flatMap((id) => {
      const dependency = byId.get(id)
      return dependency === undefined || isDone(dependency, skipReview) ? [] : [dependency]
    })

  const open = stories.filter((story) => !isDone(story, skipReview))
  const blockers = spread(open.filter(isBlocked), open, openDependencies)

  return (story: Story, also?: 'dependencies'): string | null => {
    const by = blockers.get(story.id)
    if (by === story) return `is blocked: ${visibleLine(story.blocked ?? '')}`
    if (by !== undefined) return `depends on ${by.id}, which is blocked: ${visibleLine(by.blocked ?? '')}`
    const openPartIds = parts.get(story.id)
    if (openPartIds !== undefined) return `waits for its parts ${openPartIds.join(', ')}`
    if (also === undefined) return null
    const waiting = openDependencies(story)
    return waiting.length === 0 ? null : `depends on ${waiting.map((story) => story.id).join(', ')}, not done yet`
  }
}

/** From each blocked story to everything that depends on it, however indirectly: who is held up, and by whom. */
function spread(
  blocked: readonly Story[],
  open: readonly Story[],
  dependencies: (story: Story) => readonly Story[],
): ReadonlyMap<string, Story> {
  const found = new Map(blocked.map((story) => [story.id, story]))
  if (found.size === 0) return found
  const dependents = new Map<string, Story[]>()
  for (const story of open) {
    for (const { id } of dependencies(story)) dependents.set(id, [...(dependents.get(id) ?? []), story])
  }
  const todo = [...blocked]
  for (let story = todo.pop(); story !== undefined; story = todo.pop()) {
    const by = found.get(story.id) ?? story
    for (const dependent of dependents.get(story.id) ?? []) {
      if (found.has(dependent.id)) continue
      found.set(dependent.id, by)
      todo.push(dependent)
    }
  }
  return found
}

export const isBlocked = (story: Story): boolean => (story.blocked ?? '').trim() !== ''

function first(stories: readonly Story[]): Story | null {
  let best: Story | null = null
  for (const story of stories) if (best === null || story.priority < best.priority) best = story
  return best
}

function withParts(stories: readonly Story[], id: string): Story[] {
  const byId = new Map(stories.map((story) => [story.id, story]))
  const ids = new Set([id])
  for (const name of ids) for (const part of byId.get(name)?.splitInto ?? []) ids.add(part)
  return stories.filter((story) => ids.has(story.id))
}
