import { mkdtempSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { rawChanges } from './changes.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf, removeName } from './disk.ts'
import { lineOf, type Git } from './git.ts'
import { OwnIndex } from './own-index.ts'

export interface CommitRequest {
  readonly parent: string
  /** A snapshot; only the paths named are taken from it. */
  readonly tree: string
  readonly paths: readonly string[]
  readonly message: string
  readonly iteration: number
}

const identity = 'Ralph'
const address = 'ralph@localhost'

/** A commit of the runner's on top of `parent`, whatever the agent has staged or half merged. null: nothing differs. */
export async function commitPaths(
  git: Git,
  place: RefereePlace,
  request: CommitRequest & { readonly runId: string },
): Promise<Result<string | null, Failure>> {
  const changes = await rawChanges(git, request.parent, request.tree)
  if (!changes.ok) return changes
  const wanted = new Set(request.paths)
  const entries = changes.value
    .filter(({ path }) => wanted.has(path))
    .map(({ path, newMode, newId }) => ({ path, mode: newMode, id: newId }))
  if (entries.length === 0) return ok(null)
  let scratch: string
  try {
    scratch = mkdtempSync(`${place.scratch}/commit-`)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path: place.scratch, code: codeOf(error) })
  }
  try {
    const index = new OwnIndex(git, `${scratch}/index`)
    const loaded = await index.load(request.parent, true)
    if (!loaded.ok) return loaded
    // Deletions first: a file may come where a directory was.
    const set = await index.set([...entries].sort((a, b) => Number(b.mode === '000000') - Number(a.mode === '000000')))
    if (!set.ok) return set
    const tree = await index.writeTree()
    if (!tree.ok) return tree
    return await commitTree(git, tree.value, request)
  } finally {
    removeName(scratch)
  }
}

async function commitTree(
  git: Git,
  tree: string,
  request: CommitRequest & { readonly runId: string },
): Promise<Result<string, Failure>> {
  const text = request.message.replaceAll('\0', '').trim()
  const committed = await git({
    doing: 'commit',
    args: ['commit-tree', '--no-gpg-sign', '-p', request.parent, '-F', '-', tree],
    stdin: `${text}\n\nRalph-Run: ${request.runId}/${request.iteration}\n`,
    env: {
      GIT_AUTHOR_NAME: identity,
      GIT_AUTHOR_EMAIL: address,
      GIT_COMMITTER_NAME: identity,
      GIT_COMMITTER_EMAIL: address,
    },
  })
  return committed.ok ? ok(lineOf(committed.value)) : committed
}
