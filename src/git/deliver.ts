import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { clearTheWay } from './clear-the-way.ts'
import { codeOf, removeName } from './disk.ts'
import { fileUrl, shellQuote, type Git } from './git.ts'
import type { GitLayout } from './git-layout.ts'
import { writeHead, writeProjectIndex } from './project-index.ts'
import { RejectedList, type Rejected } from './rejected.ts'

export interface DeliverRequest {
  readonly layout: GitLayout
  readonly branch: string
  readonly commit: string
  /** Where the branch must be now; null: there is none. A person who has committed meanwhile is not overrun. */
  readonly expected: string | null
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

/** `-c` reaches the receiving end only here: the local transport drops what is given to push itself. */
const receiving = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'core.commitGraph=false',
  'receive.denyCurrentBranch=ignore',
  'receive.denyNonFastForwards=false',
  'receive.denyDeletes=false',
  'receive.autogc=false',
  'receive.updateServerInfo=false',
  'receive.advertisePushOptions=false',
  'receive.shallowUpdate=true',
  'gc.auto=0',
  'maintenance.auto=false',
]

/**
 * Brings a commit into the project's branch, HEAD onto it and the index in step. Call it only after an inspection found
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
  try {
    clearTheWay(layout, ref, rejected)
  } catch (error) {
    return err({ reason: 'storage', doing: 'put back', path: `${layout.commonDir}/${ref}`, code: codeOf(error) })
  }
  const pushed = await push(git, place, { ...request, ref })
  if (!pushed.ok) return pushed
  const head = writeHead(layout, branch)
  if (!head.ok) return head
  const index = await writeProjectIndex(git, place, layout, commit)
  if (!index.ok) return index
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

async function push(
  git: Git,
  place: RefereePlace,
  request: DeliverRequest & { readonly ref: string },
): Promise<Result<void, Failure>> {
  const options = [`safe.directory=${place.project}`, ...receiving].flatMap((option) => ['-c', shellQuote(option)])
  const receivePack = [shellQuote(place.git), ...options, 'receive-pack'].join(' ')
  const answer = await git({
    doing: 'bring a commit to the branch',
    args: [
      'push',
      '--quiet',
      '--no-verify',
      '--no-signed',
      '--no-follow-tags',
      '--recurse-submodules=no',
      '--atomic',
      `--force-with-lease=${request.ref}:${request.expected ?? ''}`,
      `--receive-pack=${receivePack}`,
      fileUrl(place.project),
      `${request.commit}:${request.ref}`,
      ...Object.entries(request.keep).map(([name, id]) => `+${id}:${name}`),
    ],
    timeoutMs: 15 * 60_000,
  })
  return answer.ok ? ok(undefined) : answer
}
