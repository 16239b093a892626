import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { PathChange } from '../model/observation.ts'
import type { Baseline } from './baseline.ts'
import type { LeftOver } from './commit-left-over.ts'
import type { CommitRequest } from './commit-paths.ts'
import type { DiffRequest, DiffText } from './diff-text.ts'
import type { ObserveRequest, RepositoryView } from './observe.ts'
import type { Rejected } from './rejected.ts'
import type { RepairedHistory, RepairRequest } from './repair-history.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** The project's files and history as the runner sees them. Trees and commits are ids in its own repository. */
export interface Referee {
  /** The project when the run started. */
  readonly baseline: Baseline
  /** Puts `.git` back to what it was, takes up the agent's commits and looks at every file. */
  observe(request: ObserveRequest): Answer<RepositoryView>
  changes(from: string, to: string): Answer<readonly PathChange[]>
  /** What `head` has and `base` has not, oldest first, at most a thousand. */
  commitsSince(base: string, head: string): Answer<readonly string[]>
  /** As git keeps it; null if the tree has no such file. */
  read(tree: string, path: string): Answer<Buffer | null>
  listFiles(tree: string): Answer<readonly string[]>
  /** What git ignores, and would not by the ignore files of an earlier tree. */
  ignoredSince(tree: string): Answer<readonly string[]>
  /** Programs that are in no commit and that a check would find, changed since the run started. */
  changedPrograms(): readonly string[]
  /** What became of other branches than the loop's since the run started, in words. They are left as they are. */
  movedBranches(): readonly string[]
  diff(from: string, to: string, request: DiffRequest): Answer<DiffText>
  /** Makes exactly these paths what they are in the tree. */
  restore(tree: string, paths: readonly string[]): Answer<readonly Rejected[]>
  /** Removes a file of the runner's own, whatever it was made into. */
  takeAway(path: string): Result<readonly Rejected[], Failure>
  /** null: the paths do not differ from the parent. The commit is the project's only once it is delivered. */
  commit(request: CommitRequest): Answer<string | null>
  commitLeftOver(request: { readonly view: RepositoryView; readonly iteration: number }): Answer<LeftOver>
  /** Moves the branch from `expected` to a commit, with HEAD and index. */
  deliver(request: {
    readonly commit: string
    readonly branch: string
    readonly expected: string
  }): Answer<readonly Rejected[]>
  repairHistory(request: RepairRequest): Answer<RepairedHistory>
  /** To the remote's address of the start. */
  pushTo(request: { readonly commit: string; readonly branch: string }): Answer<void>
}
