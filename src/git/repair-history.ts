import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { rawChanges } from './changes.ts'
import { commitPaths } from './commit-paths.ts'
import { deliver } from './deliver.ts'
import { fetchCommits, freshRef } from './fetch-commits.ts'
import { inspectObjects } from './inspect-git-directory.ts'
import { makeSafe, type Base, type Observer, type RepositoryView } from './observe.ts'
import { isOwnFile, type OwnFiles } from './own-files.ts'
import { readRef } from './project-refs.ts'
import type { Rejected } from './rejected.ts'

export interface RepairRequest {
  readonly iteration: number
  readonly base: Base
  /** The branch that the run works on. */
  readonly branch: string
  /** The observation that found the history illegal, after whatever was illegal in the files has been put back. */
  readonly view: RepositoryView
  readonly message: string
}

export interface RepairedHistory {
  /** Where the branch is now: the base, or the agent's files as one commit on top of it. */
  readonly commit: string
  /** The agent's tips, by the ref that keeps them in the project and here. */
  readonly kept: Readonly<Record<string, string>>
  readonly rejected: readonly Rejected[]
}

/** The branch goes back to the base with the agent's files on top; the agent's own commits stay under `refs/ralph/`. */
export async function repairHistory(
  observer: Observer,
  request: RepairRequest,
  own: OwnFiles,
): Promise<Result<RepairedHistory, Failure>> {
  const { git, place, baseline, runId } = observer
  const { base, view, iteration, branch } = request
  const safe = makeSafe(observer, null)
  if (!safe.ok) return safe
  const kept: Record<string, string> = {}
  const prefix = `refs/ralph/${runId}/${iteration}`
  if (view.head !== null && view.head !== base.commit) kept[prefix] = view.head
  const tip = readRef(baseline.layout, `refs/heads/${branch}`)
  if (tip !== null && tip !== base.commit && tip !== view.head && inspectObjects(baseline, observer.orderly) === null) {
    // Another tip than HEAD's would be lost with the branch; one that cannot be read is lost already.
    const fetched = await fetchCommits(git, place, {
      source: `refs/heads/${branch}`,
      commit: tip,
      ref: freshRef(place, `${prefix}.branch`),
    })
    if (fetched.ok) kept[`${prefix}.branch`] = tip
  }
  const changes = await rawChanges(git, base.commit, view.tree)
  if (!changes.ok) return changes
  const excluded = new Set([...view.onlyWatched, ...view.leftOut.map(({ path }) => path)])
  for (const path of view.dropped) excluded.delete(path)
  const paths = changes.value.map(({ path }) => path).filter((path) => !excluded.has(path) && !isOwnFile(own, path))
  const { message } = request
  const made = await commitPaths(git, place, { parent: base.commit, tree: view.tree, paths, message, iteration, runId })
  if (!made.ok) return made
  const commit = made.value ?? base.commit
  // Not the base: who has made a new `.git` has no base in it.
  const has = Object.values(kept)
  const delivered = await deliver(git, place, {
    layout: baseline.layout,
    branch,
    commit,
    expected: tip,
    has,
    keep: kept,
  })
  if (!delivered.ok) return delivered
  observer.known.add(commit)
  return ok({ commit, kept, rejected: [...safe.value.rejected, ...delivered.value] })
}
