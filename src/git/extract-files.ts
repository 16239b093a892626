import { mkdirSync, mkdtempSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf, removeName } from './disk.ts'
import type { Git } from './git.ts'
import { joinPaths } from './git-path.ts'
import { OwnIndex, type TreeEntry } from './own-index.ts'

/** Files of a tree as a checkout would make them, in a directory of ours. Remove it. */
export interface Extracted {
  readonly directory: string
  /** The wanted paths that the tree has. */
  readonly entries: readonly TreeEntry[]
  remove(): void
}

/**
 * git writes them here, with the user's filters and line ends but by the attribute files of the tree itself, not by
 * those that an agent has left in the project. Putting them into the project is our own, link-aware work.
 */
export async function extractFiles(
  git: Git,
  place: RefereePlace,
  tree: string,
  wanted: (path: string) => boolean,
): Promise<Result<Extracted, Failure>> {
  let scratch: string
  try {
    scratch = mkdtempSync(`${place.scratch}/files-`)
    mkdirSync(`${scratch}/tree`)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path: place.scratch, code: codeOf(error) })
  }
  const remove = (): void => removeName(scratch)
  const directory = `${scratch}/tree`
  const index = new OwnIndex(git, `${scratch}/index`)
  const entries = await loadEntries(index, tree, wanted)
  if (!entries.ok) {
    remove()
    return entries
  }
  const paths = entries.value.filter(({ mode }) => mode !== '160000').map(({ path }) => path)
  const written = await git({
    doing: 'write files of a snapshot',
    args: ['checkout-index', '--force', '-z', '--stdin', `--prefix=${directory}/`],
    index: index.path,
    // An empty work tree, so that attribute files come from the index.
    workTree: scratch,
    stdin: joinPaths(paths),
    timeoutMs: 15 * 60_000,
  })
  if (!written.ok) {
    remove()
    return written
  }
  return ok({ directory, entries: entries.value, remove })
}

async function loadEntries(
  index: OwnIndex,
  tree: string,
  wanted: (path: string) => boolean,
): Promise<Result<TreeEntry[], Failure>> {
  const loaded = await index.load(tree, true)
  if (!loaded.ok) return loaded
  const entries = await index.entries()
  return entries.ok ? ok(entries.value.filter(({ path }) => wanted(path))) : entries
}
