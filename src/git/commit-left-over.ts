import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { commitPaths } from './commit-paths.ts'
import { lookAt } from './disk.ts'
import { diskPath } from './git-path.ts'
import type { Observer, RepositoryView } from './observe.ts'

/** What became of the files that an iteration left uncommitted. */
export type LeftOver =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'committed'; readonly commit: string }
  /** More than a person would want in one commit; they stay as they are. */
  | { readonly kind: 'too-much'; readonly files: number; readonly bytes: number }

const maxFiles = 1000
const maxBytes = 20 * 1024 * 1024

export async function commitLeftOver(
  { git, place, runId }: Observer,
  { view, iteration }: { readonly view: RepositoryView; readonly iteration: number },
): Promise<Result<LeftOver, Failure>> {
  if (view.uncommitted.length === 0 || view.head === null) return ok({ kind: 'nothing' })
  const files = view.uncommitted.length
  const bytes = view.uncommitted.reduce((sum, path) => sum + (lookAt(diskPath(place.project, path))?.size ?? 0), 0)
  if (files > maxFiles || bytes > maxBytes) return ok({ kind: 'too-much', files, bytes })
  const message = `left uncommitted by iteration ${iteration}`
  const paths = view.uncommitted
  const commit = await commitPaths(git, place, { parent: view.head, tree: view.tree, paths, message, iteration, runId })
  if (!commit.ok) return commit
  return ok(commit.value === null ? { kind: 'nothing' } : { kind: 'committed', commit: commit.value })
}
