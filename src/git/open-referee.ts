import { mkdirSync, realpathSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { loadBaseline, saveBaseline, takeBaseline, type Baseline } from './baseline.ts'
import { pathChange, rawChanges } from './changes.ts'
import { filterPath, userEnvironment, type RefereePlace } from './clean-environment.ts'
import { commitLeftOver } from './commit-left-over.ts'
import { commitPaths } from './commit-paths.ts'
import { commitsSince } from './commits-since.ts'
import { deliver } from './deliver.ts'
import { diffText } from './diff-text.ts'
import { codeOf } from './disk.ts'
import { ensureProject } from './ensure-project.ts'
import { fetchCommits, freshRef } from './fetch-commits.ts'
import { changedPrograms, installedPrograms } from './installed-programs.ts'
import { newlyIgnored } from './newly-ignored.ts'
import { gitOf, type Git } from './git.ts'
import { makeRepository, repositoryFiles } from './make-repository.ts'
import { makeSafe, observe, type Observer } from './observe.ts'
import type { OwnFiles } from './own-files.ts'
import { movedBranches, readBranches } from './project-branches.ts'
import { pushToRemote } from './push-to-remote.ts'
import { listFiles, readFile } from './read-file.ts'
import type { Referee } from './referee.ts'
import { refuseLocalFilters } from './refuse-local-filters.ts'
import { repairHistory } from './repair-history.ts'
import { restorePaths } from './restore-paths.ts'
import { takeAway } from './take-away.ts'
import { userGit } from './user-configuration.ts'
import { WorkTree } from './work-tree.ts'

export interface OpenRequest {
  readonly project: string
  /** Outside the project; `referee.git` is made in it. */
  readonly stateDir: string
  /** Absolute, found outside the project. */
  readonly git: string
  readonly runId: string
  /** The environment that the user started us with. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The runner's own files in the project: exact paths, or prefixes that end in `*`. They are in no tree. */
  readonly ignore: OwnFiles
  /** How long one look of git's at the files may take; default 10 minutes, for projects on slow disks. */
  readonly lookTimeoutMs?: number
}

/** At the start of a run: looks whether the project will do, remembers it, copies its history. Later: takes it up again. */
export async function openReferee(request: OpenRequest): Promise<Result<Referee, Failure>> {
  const place = makePlace(request)
  if (!place.ok) return place
  const git = gitOf(place.value)
  const baselinePath = `${place.value.stateDir}/git-baseline-${request.runId}.json`
  const saved = loadBaseline(baselinePath)
  if (!saved.ok) return saved
  let baseline = saved.value
  if (baseline === null) {
    const first = await start(git, place.value, request)
    if (!first.ok) return first
    baseline = first.value
    // Last, so that a start that was killed half way is simply done again.
    const kept = saveBaseline(baselinePath, baseline)
    if (!kept.ok) return kept
  } else {
    const made = makeRepository(place.value, baseline, request.ignore)
    if (!made.ok) return made
  }
  const observer: Observer = {
    git,
    place: place.value,
    baseline,
    own: repositoryFiles(place.value, baseline, request.ignore),
    runId: request.runId,
    workTree: new WorkTree(git, place.value, {
      own: request.ignore,
      timeoutMs: request.lookTimeoutMs ?? 10 * 60_000,
    }),
    known: new Set([baseline.commit]),
    orderly: new Map(),
    fetches: 0,
    ignored: { base: '', before: new Set(), last: new Set() },
  }
  return ok(refereeOf(observer, request))
}

async function start(git: Git, place: RefereePlace, request: OpenRequest): Promise<Result<Baseline, Failure>> {
  const environment = userEnvironment(request.environment)
  const found = await ensureProject(place.project, userGit(place.git, place.project, environment), environment)
  if (!found.ok) return found
  const baseline = takeBaseline(place.project, found.value)
  if (!baseline.ok) return baseline
  const made = makeRepository(place, baseline.value, request.ignore)
  if (!made.ok) return made
  const { branch, commit } = found.value
  const ref = freshRef(place, `refs/ralph/${request.runId}/start`)
  const fetched = await fetchCommits(git, place, { source: `refs/heads/${branch}`, commit, ref, first: true })
  if (!fetched.ok) return lacksObjects(fetched.error) ? err(partialClone) : fetched
  const refused = await refuseLocalFilters(git, commit, baseline.value.configuration.localFilters)
  return refused.ok ? baseline : refused
}

const lacksObjects = (error: Failure): boolean =>
  error.reason === 'git-failed' && error.stderr.includes('promisor remote')

const partialClone: Failure = {
  reason: 'not-a-repository',
  why: 'This is a partial clone: objects of its history are missing here.',
  fix: 'Run "git fetch --refetch --no-filter".',
}

function makePlace(request: OpenRequest): Result<RefereePlace, Failure> {
  try {
    const project = realpathSync(request.project)
    mkdirSync(request.stateDir, { recursive: true, mode: 0o700 })
    const stateDir = realpathSync(request.stateDir)
    if (`${stateDir}/`.startsWith(`${project}/`)) {
      return err({ reason: 'unsafe-project', path: project, why: 'it contains the state directory' })
    }
    return ok({
      runId: request.runId,
      git: request.git,
      project,
      stateDir,
      scratch: `${stateDir}/scratch`,
      repository: `${stateDir}/referee.git`,
      index: `${stateDir}/index`,
      path: filterPath(request.git, request.environment['PATH'] ?? '', project),
    })
  } catch (error) {
    return err({ reason: 'storage', doing: 'open', path: request.stateDir, code: codeOf(error) })
  }
}

function refereeOf(observer: Observer, { ignore, environment }: OpenRequest): Referee {
  const { git, place, baseline, runId, known } = observer
  return {
    baseline,
    observe: (request) => observe(observer, request),
    changes: async (from, to) => {
      const changes = await rawChanges(git, from, to)
      return changes.ok ? ok(changes.value.map(pathChange)) : changes
    },
    commitsSince: (base, head) => commitsSince(git, base, head),
    read: (tree, path) => readFile(git, tree, path),
    listFiles: async (tree) => {
      const files = await listFiles(git, tree)
      return files.ok ? ok(files.value.map(({ path }) => path)) : files
    },
    ignoredSince: (before) => newlyIgnored(git, place, { ignored: [...observer.ignored.last], before }),
    changedPrograms: () => changedPrograms(baseline.programs, installedPrograms(place.project)),
    movedBranches: () => movedBranches(baseline.branches, readBranches(baseline.layout), baseline.branch),
    diff: (from, to, request) => diffText(git, place, { ...request, from, to }),
    restore: async (tree, paths) => {
      const restored = await restorePaths(git, place, tree, paths)
      if (!restored.ok || paths.length === 0) return restored
      const known = await observer.workTree.putBackSubmodules(tree, paths)
      return known.ok ? restored : known
    },
    takeAway: (path) => takeAway(place, path),
    commit: (request) => commitPaths(git, place, { ...request, runId }),
    commitLeftOver: (request) => commitLeftOver(observer, request),
    deliver: async ({ commit, branch, expected }) => {
      const safe = makeSafe(observer, null)
      if (!safe.ok) return safe
      const delivered = await deliver(git, place, {
        layout: baseline.layout,
        branch,
        commit,
        expected,
        has: [expected],
        keep: {},
      })
      if (!delivered.ok) return delivered
      known.add(commit)
      return ok([...safe.value.rejected, ...delivered.value])
    },
    repairHistory: (request) => repairHistory(observer, request, ignore),
    pushTo: (request) => pushToRemote(git, { ...request, remote: baseline.configuration.remote, environment }),
  }
}
