import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { userEnvironment } from './clean-environment.ts'
import { decodePath, splitFields } from './git-path.ts'
import { userGit, type UserGit } from './user-configuration.ts'

export interface UserCommit {
  /** The real path of the work tree. */
  readonly project: string
  /** Absolute, found outside the project. */
  readonly git: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Files that are there; nothing else goes into the commit, whatever is staged. */
  readonly paths: readonly string[]
  readonly message: string
  /** `user`: a person did this, and is named if git knows a name. */
  readonly as: 'user' | 'ralph'
}

/** What became of it. */
export interface UserCommitted {
  /** null: nothing differs from the last commit, or git ignores all of it. */
  readonly commit: string | null
  /** What git is told to ignore stays out. */
  readonly ignored: readonly string[]
}

const ralph = {
  GIT_AUTHOR_NAME: 'Ralph',
  GIT_AUTHOR_EMAIL: 'ralph@localhost',
  GIT_COMMITTER_NAME: 'Ralph',
  GIT_COMMITTER_EMAIL: 'ralph@localhost',
}
/** No program of the repository's may have a say in it. */
const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/** A commit between runs, on the branch that is checked out: for commands that a person starts, never inside a loop. */
export async function commitForUser(request: UserCommit): Promise<Result<UserCommitted, Failure>> {
  const base = { ...userEnvironment(request.environment), GIT_LITERAL_PATHSPECS: '1' }
  const env = request.as === 'ralph' ? { ...base, ...ralph } : await withName(request, base)
  const git = userGit(request.git, request.project, env)
  const ignored = await listed(git, ['--others', '--ignored', '--exclude-standard', '--', ...request.paths])
  if (!ignored.ok) return ignored
  const paths = request.paths.filter((path) => !ignored.value.includes(path))
  const done = (commit: string | null) => ok({ commit, ignored: ignored.value })
  if (paths.length === 0) return done(null)
  const tracked = await listed(git, ['--', ...paths])
  if (!tracked.ok) return tracked
  const fresh = paths.filter((path) => !tracked.value.includes(path))
  if (fresh.length > 0) {
    const added = await git([...quiet, 'add', '--', ...fresh])
    if (!added.ok) return err(named(added.error, 'add'))
  }
  const changes = await git([...quiet, 'status', '--porcelain', '-z', '--', ...paths])
  if (!changes.ok) return err(named(changes.error, 'look at the changes'))
  if (changes.value.length === 0) return done(null)
  const flags = ['--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=whitespace']
  const committed = await git([...quiet, 'commit', ...flags, '-m', request.message, '--only', '--', ...paths])
  if (!committed.ok) return err(named(committed.error, 'commit'))
  const head = await git(['rev-parse', 'HEAD'])
  return head.ok ? done(head.value.toString('utf8').trim()) : head
}

/** Who a commit is by: the user's variables and configuration, or else us, so that nobody is stopped by a missing name. */
async function withName(
  { git, project, environment }: UserCommit,
  base: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const given = Object.keys(ralph).flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const env = { ...base, ...Object.fromEntries(given) }
  const ask = userGit(git, project, env)
  const author = await ask(['var', 'GIT_AUTHOR_IDENT'])
  const committer = await ask(['var', 'GIT_COMMITTER_IDENT'])
  return author.ok && committer.ok ? env : { ...base, ...ralph }
}

async function listed(git: UserGit, args: readonly string[]): Promise<Result<readonly string[], Failure>> {
  const answer = await git(['ls-files', '-z', ...args])
  return answer.ok ? ok(splitFields(answer.value).map(decodePath)) : answer
}

/** The first word after options of git itself says nothing. */
const named = (failure: Failure, doing: string): Failure =>
  failure.reason === 'git-failed' ? { ...failure, doing } : failure
