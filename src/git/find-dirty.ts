import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { isOwnFile, type OwnFiles } from './own-files.ts'
import { decodePath, splitFields } from './git-path.ts'
import { quietGit, type UserPlace } from './quiet-git.ts'

/**
 * What the user has changed or added and neither committed nor ignored. Submodules and other repositories inside are left
 * out, as the referee does it: a commit here would not take them.
 */
export async function findDirty(
  request: UserPlace & { readonly ignore?: OwnFiles },
): Promise<Result<readonly string[], Failure>> {
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
  const paths = splitFields(status.value).map((field) => decodePath(field.subarray(3)))
  return ok(paths.filter((path) => !path.endsWith('/') && !isOwnFile(own, path)))
}
