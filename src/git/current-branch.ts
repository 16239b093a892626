import { findLayout } from './git-layout.ts'
import { readHead } from './project-refs.ts'

/** The branch that a project (a real path) is on; null if HEAD is detached, or if this is no work tree. */
export function currentBranch(project: string): string | null {
  const layout = findLayout(project)
  return layout === null ? null : readHead(layout).branch
}
