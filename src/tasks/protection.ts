import type { TaskList } from '../model/story.ts'
import { matcherOf, matchesGlob } from './pathspec.ts'
import type { Protection } from './protected-files.ts'
import type { Rules } from './rules.ts'

/**
 * What an iteration may not change: what the checks of the run's start stand on, what `protectedPaths` match, less what
 * people allow the story of the iteration by `mayChange`.
 */
export function protectionIn(
  list: TaskList,
  story: string | null,
  checks: Protection,
): Pick<Rules, 'protects' | 'protectedScripts'> {
  const inProtectedPaths = matcherOf(list.protectedPaths ?? [])
  const allowed = list.userStories.find(({ id }) => id === story)?.mayChange ?? []
  const mayChange = (path: string) => allowed.some((glob) => matchesGlob(path, glob))
  return {
    protects: (path) => (checks.files.has(path) || inProtectedPaths(path)) && !mayChange(path),
    protectedScripts: mayChange('package.json') ? new Map() : checks.scripts,
  }
}
