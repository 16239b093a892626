import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { userEnvironment } from './clean-environment.ts'
import type { Git } from './git.ts'
import type { UserConfiguration } from './user-configuration.ts'

/**
 * To the address remembered at the start, from the referee's repository: whatever the agent did to the project's
 * remotes, refspecs or hooks takes no part. The user's own configuration does, for their credentials.
 */
export async function pushToRemote(
  git: Git,
  request: {
    readonly remote: UserConfiguration['remote']
    readonly commit: string
    readonly branch: string
    readonly environment: Readonly<Record<string, string | undefined>>
  },
): Promise<Result<void, Failure>> {
  if (request.remote === null) {
    return err({
      reason: 'not-a-repository',
      why: 'There is no remote to push to.',
      fix: 'Run: git remote add origin URL',
    })
  }
  const { url } = request.remote
  if (url.startsWith('-') || url.startsWith('ext::')) {
    return err({
      reason: 'not-a-repository',
      why: `The remote's address "${url}" is none to push to.`,
      fix: 'Run: git remote set-url origin URL',
    })
  }
  const answer = await git({
    doing: `push to ${url}`,
    args: [
      'push',
      '--quiet',
      '--no-verify',
      '--no-follow-tags',
      '--recurse-submodules=no',
      '--',
      url,
      `${request.commit}:refs/heads/${request.branch}`,
    ],
    environment: { ...userEnvironment(request.environment), GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' },
    timeoutMs: 15 * 60_000,
  })
  return answer.ok ? ok(undefined) : answer
}
