import type { Story, TaskList } from '../model/story.ts'
import { matcherOf, matchesGlob } from './pathspec.ts'
import type { Protection } from './protected-files.ts'
import type { Rules } from './rules.ts'

/**
 * What an iteration may not change: what the checks of the run's start stand on, what `protectedPaths` match, less what
 * people allow the story of the iteration, or one that it is a part of, by `mayChange`.
 */
export function protectionIn(
  list: TaskList,
  story: string | null,
  checks: Protection,
): Pick<Rules, 'protects' | 'protectedScripts'> {
  const inProtectedPaths = matcherOf(list.protectedPaths ?? [])
  const allowed = lineOf(list, story).flatMap(({ mayChange = [] }) => mayChange)
  const mayChange = (path: string) => allowed.some((glob) => matchesGlob(path, glob))
  return {
    protects: (path) => (checks.files.has(path) || inProtectedPaths(path)) && !mayChange(path),
    protectedScripts: mayChange('package.json') ? new Map() : checks.scripts,
  }
}

/** A story and those that it came from, by any number of splits. */
function lineOf(list: TaskList, id: string | null): Story[] {
  const line = new Set(list.userStories.filter((story) => story.id === id))
  for (const part of line) {
    for (const story of list.userStories) if (story.splitInto?.includes(part.id) === true) line.add(story)
  }
  return [...line]
}
