import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { PathChange } from '../model/observation.ts'
import type { Baseline } from './baseline.ts'
import { pathChange, rawChanges } from './changes.ts'
import type { RefereePlace } from './clean-environment.ts'
import { removeName } from './disk.ts'
import { openOperation } from './ensure-project.ts'
import { fetchCommits, freshRef } from './fetch-commits.ts'
import { lineOf, type Git } from './git.ts'
import { diskPath } from './git-path.ts'
import { inspectGitDirectory, inspectObjects, type GitFinding } from './inspect-git-directory.ts'
import { inspectRepository } from './inspect-repository.ts'
import { newlyIgnored } from './newly-ignored.ts'
import { writeProjectIndex } from './project-index.ts'
import { readHead, type ProjectHead } from './project-refs.ts'
import { putBackGitDirectory } from './put-back-git-directory.ts'
import type { Rejected } from './rejected.ts'
import type { OrderlyDirectories } from './skeleton.ts'
import type { LeftOut } from './sort-by-disk.ts'
import { tidyRepository } from './tidy-repository.ts'
import type { WorkTree, WorkTreeLook } from './work-tree.ts'

/** The names of a million files. */
const maxListBytes = 64 * 1024 * 1024

/** What an iteration is compared with. */
export interface Base {
  readonly commit: string
  readonly tree: string
}

export interface ObserveRequest {
  readonly iteration: number
  /** null for the first look of a run. */
  readonly base: Base | null
  /** Files or directories that belong to the tree even if they are ignored. */
  readonly watch?: readonly string[]
  /** Git locks changed at or after this time (ms since the epoch) are removed: their process is gone. */
  readonly locksSince?: number
  /** Read every file again, also where its times say that it has not changed. */
  readonly thorough?: boolean
}

/** The project after an agent, or before one. */
export interface RepositoryView {
  /** null: there is no commit, or its objects cannot be had; `headProblem` says why. */
  readonly head: string | null
  readonly headProblem: string | null
  /** The branch that HEAD is on; null when detached, unborn or not a branch. */
  readonly branch: string | null
  /** Whether the base is the head or an ancestor of it; true without a base. */
  readonly baseIsAncestor: boolean
  /** The work tree as a tree of the referee's repository. */
  readonly tree: string
  /** From the base's tree to this one, and watched paths that no tree can hold. */
  readonly changes: readonly PathChange[]
  /** Differs from the head and a commit would take it. */
  readonly uncommitted: readonly string[]
  /** Those of them that the head does not have. */
  readonly untracked: readonly string[]
  /** In the tree because it is watched; ignored, so no commit takes it. */
  readonly onlyWatched: readonly string[]
  /** Files of the runner's own that were committed since the base; among the changes, though in no tree. */
  readonly ownCommitted: readonly string[]
  /** Watched files that the base's commit has and the head has not: still there, but taken out of git and ignored. */
  readonly dropped: readonly string[]
  /** Repositories inside the project that the base has not. */
  readonly nestedRepositories: readonly string[]
  /** Ignored now, and not by the ignore files of the base; a directory ends in a slash. */
  readonly newlyIgnored: readonly string[]
  /** On disk and not in the tree. */
  readonly leftOut: readonly LeftOut[]
  /** A merge, rebase … that the agent has not ended. */
  readonly openOperation: string | null
  /** What was found in `.git`; all of it has been put back. */
  readonly gitDirectory: readonly GitFinding[]
  readonly rejected: readonly Rejected[]
  readonly removedLocks: readonly string[]
}

/** What an observation works with; `known` are the commits that the referee has. */
export interface Observer {
  readonly git: Git
  readonly place: RefereePlace
  readonly baseline: Baseline
  /** The files of `referee.git` as they should be. */
  readonly own: ReadonlyMap<string, Buffer>
  readonly runId: string
  readonly workTree: WorkTree
  readonly known: Set<string>
  readonly orderly: OrderlyDirectories
  /** How often commits were fetched by this process. */
  fetches: number
  /** Ignored paths of the last look, and of the last one before this base came up: only others can be new. */
  ignored: { readonly base: string; readonly before: ReadonlySet<string>; readonly last: ReadonlySet<string> }
}

export async function observe(observer: Observer, request: ObserveRequest): Promise<Result<RepositoryView, Failure>> {
  const { git, place, baseline } = observer
  const safe = makeSafe(observer, request.locksSince ?? null)
  if (!safe.ok) return safe
  const head = readHead(baseline.layout)
  const taken = await takeCommits(observer, head, request.iteration)
  if (!taken.ok) return taken
  const { commit, problem } = taken.value
  const standsOn = commit ?? request.base?.commit ?? baseline.commit
  const [look, ancestor] = await Promise.all([
    observer.workTree.look({ head: standsOn, watch: request.watch ?? [], thorough: request.thorough ?? false }),
    isAncestor(git, request.base?.commit ?? commit, commit),
  ])
  if (!look.ok) return look
  if (!ancestor.ok) return ancestor
  const seen = look.value
  const compared = await compareWithBase(observer, request.base, seen)
  if (!compared.ok) return compared
  const since = await compareCommits(git, request.base, { commit: standsOn, seen })
  if (!since.ok) return since
  if (safe.value.findings.some(({ path }) => path === `${baseline.layout.gitDir}/index`)) {
    const index = await writeProjectIndex(git, place, baseline.layout, standsOn)
    if (!index.ok) return index
  }
  observer.ignored = { ...observer.ignored, last: new Set(seen.ignored) }
  return ok({
    newlyIgnored: compared.value.newlyIgnored,
    changes: [
      ...compared.value.changes,
      ...since.value.ownCommitted.map((path) => ({ path, kind: 'added' as const, now: 'file' as const })),
    ],
    ...since.value,
    head: commit,
    headProblem: problem,
    baseIsAncestor: request.base === null || ancestor.value,
    branch: head.branch,
    tree: seen.tree,
    uncommitted: seen.uncommitted,
    untracked: seen.untracked,
    onlyWatched: seen.onlyWatched,
    nestedRepositories: [...new Set([...seen.nested, ...compared.value.newSubmodules])],
    leftOut: seen.leftOut,
    openOperation: openOperation(baseline.layout.gitDir)?.name ?? null,
    gitDirectory: safe.value.findings,
    rejected: safe.value.rejected,
    removedLocks: safe.value.removedLocks,
  })
}

interface MadeSafe {
  readonly findings: readonly GitFinding[]
  readonly rejected: readonly Rejected[]
  readonly removedLocks: readonly string[]
}

/** Nothing of ours may run on `.git` before this has said that it is safe. */
export function makeSafe(
  observer: Pick<Observer, 'baseline' | 'place' | 'own'>,
  locksSince: number | null,
): Result<MadeSafe, Failure> {
  const { baseline, place, own } = observer
  // First: whatever else is found, our own git must be ours.
  const planted = inspectRepository(place, own)
  const taken = putBackGitDirectory(baseline, planted, place.stateDir)
  if (!taken.ok) return taken
  const inspection = inspectGitDirectory(baseline)
  if (inspection.unsafe !== null) return err(unsafeDirectory(baseline, place, inspection.unsafe))
  const locks = inspection.locks.filter(({ changedMs }) => locksSince !== null && changedMs >= locksSince)
  for (const { path } of locks) removeName(diskPath(path, ''))
  const rejected = putBackGitDirectory(baseline, inspection.findings, place.stateDir)
  if (!rejected.ok) return rejected
  return ok({
    findings: [...planted, ...inspection.findings],
    rejected: [...taken.value, ...rejected.value],
    removedLocks: locks.map(({ path }) => path),
  })
}

/** The commit at HEAD, in the referee's repository. One that cannot be fetched is as good as none. */
async function takeCommits(
  observer: Observer,
  head: ProjectHead,
  iteration: number,
): Promise<Result<{ readonly commit: string | null; readonly problem: string | null }, Failure>> {
  const { git, place, runId, known, baseline, orderly } = observer
  if (head.commit === null) return ok({ commit: null, problem: 'HEAD names no commit' })
  if (known.has(head.commit)) return ok({ commit: head.commit, problem: null })
  const unsafe = inspectObjects(baseline, orderly)
  if (unsafe !== null) return err(unsafeDirectory(baseline, place, unsafe))
  const ref = freshRef(place, `refs/ralph/${runId}/${iteration}`)
  const fetched = await fetchCommits(git, place, { source: 'HEAD', commit: head.commit, ref })
  if (!fetched.ok) {
    const { error } = fetched
    // Our own disk is no fault of the agent's.
    if (error.reason === 'storage') return fetched
    return ok({ commit: null, problem: error.reason === 'git-failed' ? error.stderr : error.reason })
  }
  await tidyRepository(git, ++observer.fetches)
  const problem = await whyNoCommit(git, head.commit)
  if (problem !== null) return ok({ commit: null, problem })
  known.add(head.commit)
  return ok({ commit: head.commit, problem: null })
}

/** Any object can stand in a ref, and a few trees that name each other ten times over are billions of files. */
async function whyNoCommit(git: Git, id: string): Promise<string | null> {
  const doing = 'look at a commit'
  const [type, files] = await Promise.all([
    git({ doing, args: ['cat-file', '-t', id] }),
    git({ doing, args: ['ls-tree', '-r', '-z', '--name-only', '--full-tree', id], maxOutputBytes: maxListBytes }),
  ])
  if (!type.ok || lineOf(type.value) !== 'commit') return 'HEAD names something that is no commit'
  if (!files.ok) return 'the files of the commit cannot be listed'
  return files.value.cut ? 'the commit has more files than can be looked at' : null
}

async function compareWithBase(
  observer: Observer,
  base: Base | null,
  now: Pick<WorkTreeLook, 'tree' | 'ignored' | 'watchedLeftOut'>,
): Promise<Result<Pick<RepositoryView, 'changes' | 'newlyIgnored'> & { newSubmodules: readonly string[] }, Failure>> {
  const { git, place, ignored } = observer
  if (base === null) return ok({ changes: [], newlyIgnored: [], newSubmodules: [] })
  if (ignored.base !== base.tree) observer.ignored = { base: base.tree, before: ignored.last, last: ignored.last }
  const candidates = now.ignored.filter((path) => !observer.ignored.before.has(path))
  const [changes, hidden] = await Promise.all([
    rawChanges(git, base.tree, now.tree),
    newlyIgnored(git, place, { ignored: candidates, before: base.tree }),
  ])
  if (!changes.ok) return changes
  if (!hidden.ok) return hidden
  const inTree = new Set(changes.value.map(({ path }) => path))
  // No tree can hold them, and they must not stay either.
  const leftOut = now.watchedLeftOut.filter((path) => !inTree.has(path))
  return ok({
    changes: [
      ...changes.value.map(pathChange),
      ...leftOut.map((path) => ({ path, kind: 'added' as const, now: 'file' as const })),
    ],
    newlyIgnored: hidden.value,
    // One that only moved to another commit was there before.
    newSubmodules: changes.value
      .filter(({ oldMode, newMode }) => newMode === '160000' && oldMode !== '160000')
      .map(({ path }) => path),
  })
}

/** What the commits since the base did to files that are not compared by their trees: our own, and watched ones. */
async function compareCommits(
  git: Git,
  base: Base | null,
  { commit, seen }: { readonly commit: string; readonly seen: Pick<WorkTreeLook, 'ownInHead' | 'onlyWatched'> },
): Promise<Result<Pick<RepositoryView, 'ownCommitted' | 'dropped'>, Failure>> {
  const isConcerned = seen.ownInHead.length > 0 || seen.onlyWatched.length > 0
  const changes = base === null || !isConcerned ? ok([]) : await rawChanges(git, base.commit, commit)
  if (!changes.ok) return changes
  const isGone = new Map(changes.value.map(({ path, newMode }) => [path, newMode === '000000']))
  return ok({
    ownCommitted: seen.ownInHead.filter((path) => isGone.get(path) === false),
    dropped: seen.onlyWatched.filter((path) => isGone.get(path) === true),
  })
}

async function isAncestor(git: Git, base: string | null, commit: string | null): Promise<Result<boolean, Failure>> {
  if (commit === null || base === null) return ok(false)
  if (commit === base) return ok(true)
  const args = ['merge-base', '--is-ancestor', base, commit]
  const answer = await git({ doing: 'look at the history', args, answers: [0, 1] })
  return answer.ok ? ok(answer.value.exitCode === 0) : answer
}

function unsafeDirectory(baseline: Baseline, place: RefereePlace, why: string): Failure {
  const path = `${baseline.project}/.git`
  return { reason: 'unsafe-git-directory', path, why, kept: place.repository }
}
