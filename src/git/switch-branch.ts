import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { findLayout } from './git-layout.ts'
import { isSafeRef, readHead, readRef } from './project-refs.ts'
import { quietGit, type UserPlace } from './quiet-git.ts'

/** Before a run: puts the project on this branch, which begins at HEAD if it is new. Nothing changes where that fails. */
export async function switchBranch(
  request: UserPlace & { readonly branch: string },
): Promise<Result<'already' | 'created' | 'switched', Failure>> {
  const { project, branch } = request
  const ref = `refs/heads/${branch}`
  if (branch.startsWith('-') || !isSafeRef(ref)) return cannot(branch, 'git takes no such name', changeName)
  const layout = findLayout(project)
  if (layout !== null && readHead(layout).branch === branch) return ok('already')
  const exists = layout !== null && readRef(layout, ref) !== null
  const options = exists ? [] : ['--no-track', '-c']
  const switched = await quietGit(request)(['switch', '--quiet', '--no-recurse-submodules', ...options, branch])
  if (switched.ok) return ok(exists ? 'switched' : 'created')
  return switched.error.reason === 'git-failed' ? explain(branch, switched.error.stderr) : switched
}

const changeName = 'Change branchName in the task list, or stay on this branch with --no-branch.'

/** git's own words are in English, since `userEnvironment` says so. */
function explain(branch: string, stderr: string): Result<never, Failure> {
  const files = [...stderr.matchAll(/^\t(.+)$/gm)].map((match) => match[1] ?? '')
  if (stderr.includes('would be overwritten by')) {
    const named = files.slice(0, 3).join(', ')
    const more = files.length > 3 ? ` and ${files.length - 3} more` : ''
    return cannot(branch, `your changes of ${named}${more} would be lost`, 'Commit or stash them and start again.')
  }
  const elsewhere = /already (?:checked out|used by worktree) at '(.+)'/.exec(stderr)?.[1]
  if (elsewhere !== undefined) {
    return cannot(branch, `it is checked out in ${elsewhere}`, `Start in that directory. ${changeName}`)
  }
  const said = stderr.split('\n').find((line) => /^(?:fatal|error): /.test(line)) ?? stderr
  return cannot(branch, `git says: ${said.replace(/^(?:fatal|error): /, '')}`, changeName)
}

const cannot = (branch: string, why: string, fix: string): Result<never, Failure> =>
  err({ reason: 'cannot-switch', branch, why, fix })
