import { err, ok, type Result } from '../base/result.ts'
import { userEnvironment } from '../git/clean-environment.ts'
import { commitForUser, type UserCommit, type UserCommitted } from '../git/commit-for-user.ts'
import { ensureProject } from '../git/ensure-project.ts'
import { userGit } from '../git/user-configuration.ts'
import type { Failure } from '../model/failure.ts'
import { findProgram } from '../process/find-program.ts'
import type { Input } from './command.ts'

/** The project's repository, for commands that a person starts between runs. */
export interface UserRepository {
  readonly branch: string
  commit(request: Pick<UserCommit, 'paths' | 'message' | 'as'>): Promise<Result<UserCommitted, Failure>>
}

/** Looks before anything is changed whether a commit will be possible. */
export async function openUserRepository(root: string, env: Input['env']): Promise<Result<UserRepository, Failure>> {
  const git = findProgram('git', { path: env['PATH'] ?? '', forbiddenRoot: root })
  if (!git.ok) return err(git.error)
  const environment = userEnvironment(env)
  const found = await ensureProject(root, userGit(git.value, root, environment), environment)
  if (!found.ok) return found
  return ok({
    branch: found.value.branch,
    commit: (request) => commitForUser({ ...request, project: root, git: git.value, environment: env }),
  })
}
