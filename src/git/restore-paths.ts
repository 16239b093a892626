import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf } from './disk.ts'
import { extractFiles } from './extract-files.ts'
import type { Git } from './git.ts'
import { diskPath, isInnerPath } from './git-path.ts'
import type { TreeEntry } from './own-index.ts'
import { placeFile, type Wanted } from './place-file.ts'
import { RejectedList, type Rejected } from './rejected.ts'

/** Makes exactly these paths what they are in a tree: content, mode, link, or nothing. Others are not touched. */
export async function restorePaths(
  git: Git,
  place: RefereePlace,
  tree: string,
  paths: readonly string[],
): Promise<Result<readonly Rejected[], Failure>> {
  const wanted = new Set(paths)
  const outside = paths.find((path) => !isInnerPath(path))
  if (outside !== undefined)
    return err({ reason: 'unsafe-file', path: outside, why: 'it is not a path in the project' })
  if (wanted.size === 0) return ok([])
  const files = await extractFiles(git, place, tree, (path) => wanted.has(path))
  if (!files.ok) return files
  const entries = new Map(files.value.entries.map((entry) => [entry.path, entry]))
  const rejected = new RejectedList(place.stateDir)
  // What goes makes room for what comes: a file may have to stand where a directory is now.
  const order = [...wanted].sort((a, b) => Number(entries.has(a)) - Number(entries.has(b)))
  try {
    for (const path of order) {
      placeFile(place.project, path, { wanted: wantedAt(entries.get(path), files.value.directory), rejected })
    }
    return ok(rejected.found)
  } catch (error) {
    return err({ reason: 'storage', doing: 'put back files in', path: place.project, code: codeOf(error) })
  } finally {
    files.value.remove()
  }
}

function wantedAt(entry: TreeEntry | undefined, directory: string): Wanted {
  if (entry === undefined) return { kind: 'nothing' }
  const from = diskPath(directory, entry.path)
  switch (entry.mode) {
    case '160000':
      return { kind: 'directory' }
    case '120000':
      return { kind: 'link', from }
    default:
      return { kind: 'file', from }
  }
}
