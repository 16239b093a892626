import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { isOwnFile, type OwnFiles } from './own-files.ts'
import { decodePath, splitFields } from './git-path.ts'
import { quietGit, type UserPlace } from './quiet-git.ts'

export interface DirtyPath {
  readonly path: string
  /** New, and in no commit. */
  readonly isUntracked: boolean
}

/**
 * What the user has changed or added and neither committed nor ignored. Submodules and other repositories inside are left
 * out, as the referee does it: a commit here would not take them.
 */
export async function findDirty(
  request: UserPlace & { readonly ignore?: OwnFiles },
): Promise<Result<readonly DirtyPath[], Failure>> {
  const status = await quietGit(request)([
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignore-submodules=all',
  ])
  if (!status.ok) return status
  const own = request.ignore ?? []
  const found = splitFields(status.value).map((field) => ({
    path: decodePath(field.subarray(3)),
    isUntracked: field.subarray(0, 2).toString('latin1') === '??',
  }))
  return ok(found.filter(({ path }) => !path.endsWith('/') && !isOwnFile(own, path)))
}
