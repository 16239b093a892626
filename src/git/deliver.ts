import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { clearTheWay } from './clear-the-way.ts'
import { codeOf, lookAt, removeName } from './disk.ts'
import type { Git } from './git.ts'
import type { GitLayout } from './git-layout.ts'
import { writeProjectIndex } from './project-index.ts'
import { giveObjects } from './project-objects.ts'
import { readRef } from './project-refs.ts'
import { addToReflog, refMoved, writeHead, writeRef } from './project-refs-write.ts'
import { RejectedList, type Rejected } from './rejected.ts'

export interface DeliverRequest {
  readonly layout: GitLayout
  readonly branch: string
  readonly commit: string
  /** Where the branch must be now; null: there is none. A person who has committed meanwhile is not overrun. */
  readonly expected: string | null
  /** Commits that came from the project, so that it has them and all they need. */
  readonly has: readonly string[]
  /** More refs to write, by full name: the tips of agents' histories that were put aside. */
  readonly keep: Readonly<Record<string, string>>
}

/** Half-done operations of the agent's that a new commit and index make meaningless. */
const operationFiles = [
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'MERGE_RR',
  'MERGE_AUTOSTASH',
  'AUTO_MERGE',
  'SQUASH_MSG',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'sequencer',
  'rebase-merge',
  'rebase-apply',
  'BISECT_LOG',
  'BISECT_START',
  'BISECT_TERMS',
  'BISECT_NAMES',
  'BISECT_EXPECTED_REV',
  'BISECT_ANCESTORS_OK',
]

/**
 * Brings a commit into the project's branch, HEAD onto it and the index in step. No git runs on the project for it: a
 * push would run receiving hooks, and fail on any ref that an agent has broken. Call it only after an inspection found
 * `.git` safe. An operation that the agent left open (a merge, a rebase) ends here: its files come back as rejected.
 */
export async function deliver(
  git: Git,
  place: RefereePlace,
  request: DeliverRequest,
): Promise<Result<readonly Rejected[], Failure>> {
  const { layout, branch, commit } = request
  const ref = `refs/heads/${branch}`
  const rejected = new RejectedList(place.stateDir)
  // Before anything moves: half a delivery would leave the user's status upside down.
  const locks = [`${layout.gitDir}/index.lock`, `${layout.gitDir}/HEAD.lock`, `${layout.commonDir}/${ref}.lock`]
  const lock = locks.find((path) => lookAt(path) !== null)
  if (lock !== undefined) {
    const stderr = `${lock} exists: another git is at work, or was killed`
    return err({ reason: 'git-failed', doing: 'bring a commit to the branch', exitCode: null, stderr })
  }
  const tip = readRef(layout, ref)
  if (tip !== request.expected) return err(refMoved(ref, tip, request.expected))
  try {
    for (const name of [ref, ...Object.keys(request.keep)]) clearTheWay(layout, name, rejected)
  } catch (error) {
    return err({ reason: 'storage', doing: 'put back', path: `${layout.commonDir}/${ref}`, code: codeOf(error) })
  }
  const commits = [commit, ...Object.values(request.keep)]
  const given = await giveObjects(git, place, { layout, commits, has: request.has })
  if (!given.ok) return given
  for (const [name, id] of Object.entries(request.keep)) {
    const kept = writeRef(layout, { ref: name, commit: id, logFrom: null })
    if (!kept.ok) return kept
  }
  // Before the branch: after a crash in between the files are staged, and the next delivery brings them. The other way
  // round they would be undone by the agent's next commit.
  const index = await writeProjectIndex(git, place, layout, commit)
  if (!index.ok) return index
  const logFrom = request.has.find((id) => id === request.expected) ?? null
  const moved = writeRef(layout, { ref, commit, expected: request.expected, logFrom })
  if (!moved.ok) return moved
  addToReflog(`${layout.gitDir}/logs/HEAD`, logFrom, commit)
  const head = writeHead(layout, branch)
  if (!head.ok) return head
  try {
    for (const name of operationFiles) {
      rejected.keep(`${layout.gitDir}/${name}`, `${layout.gitDir}/${name}`)
      removeName(`${layout.gitDir}/${name}`)
    }
    return ok(rejected.found)
  } catch (error) {
    return err({ reason: 'storage', doing: 'remove', path: layout.gitDir, code: codeOf(error) })
  }
}
