import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Git } from './git.ts'
import { joinPaths, splitFields } from './git-path.ts'
import { listFiles } from './read-file.ts'

/**
 * Files that pass a filter which only the repository's own configuration knows (git-crypt, `git lfs install --local`):
 * without it they look changed, and a commit of the runner's would contain what the filter is there to keep out.
 */
export async function refuseLocalFilters(
  git: Git,
  commit: string,
  filters: readonly string[],
): Promise<Result<void, Failure>> {
  if (filters.length === 0) return ok(undefined)
  const files = await listFiles(git, commit)
  if (!files.ok) return files
  const answer = await git({
    doing: 'look at the attributes',
    args: ['check-attr', '-z', '--stdin', 'filter'],
    stdin: joinPaths(files.value.map(({ path }) => path)),
  })
  if (!answer.ok) return answer
  const values = splitFields(answer.value.stdout).filter((_, index) => index % 3 === 2)
  const used = filters.find((name) => values.some((value) => value.toString('utf8') === name))
  if (used === undefined) return ok(undefined)
  return err({
    reason: 'not-a-repository',
    why: `Files here pass the filter "${used}", which only this repository's own configuration defines; an agent could change it.`,
    fix: `Define it for yourself: copy each "filter.${used}.*" of "git config --local --list" with "git config --global".`,
  })
}
