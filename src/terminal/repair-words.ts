import { listed } from './format-amounts.ts'

/** What the runner did to the project itself: `put back ralph/tasks.json (commit cccccccc)`. */
export function repairWords(what: readonly string[], commit: string | null): string {
  const done = what.length === 0 ? 'committed the files of the loop' : listed(what, 5)
  return commit === null ? done : `${done} (commit ${commit.slice(0, 8)})`
}
