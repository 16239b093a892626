import { ok } from '../base/result.ts'
import type { Base, RepositoryView } from '../git/observe.ts'
import type { Observation } from '../model/observation.ts'
import { isPeopleOnly } from '../model/is-people-only.ts'
import { isSteeringPath, steeringPaths } from '../model/steering-paths.ts'
import type { Answer } from '../loop/workflow.ts'
import { isArtefact } from './artefacts.ts'
import type { Seen, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'
import { takenOut } from './taken-out.ts'

export const markerPath = '.ralph-active'

interface LookRequest {
  readonly iteration: number
  readonly base: Base | null
  /** Git locks that are not older than this are leftovers of processes that are gone. */
  readonly locksSince?: number
  readonly artefacts: readonly string[]
  /** More paths that are in the tree also where they are ignored. */
  readonly watch?: readonly string[]
}

/** The project now, without what the runner answers for itself: its own files, what checks make, what was dirty before. */
export async function look(ports: StoriesPorts, memory: StoriesMemory, request: LookRequest): Answer<Seen> {
  const { ralphDir } = ports.options
  const { iteration, base } = request
  const locksSince = request.locksSince ?? memory.locksSince
  memory.locksSince = null
  const looked = await ports.referee.observe({
    iteration,
    base,
    watch: [...watchedIn(ralphDir), ...(request.watch ?? [])],
    ...(locksSince === null ? {} : { locksSince }),
  })
  if (!looked.ok) return looked
  const saved = ports.saveTakenOut(iteration, looked.value.rejected.flatMap(takenOut))
  if (!saved.ok) return saved
  const own = await withoutOthers(ports, looked.value, request)
  if (!own.ok) return own
  const view = own.value
  const now: Observation = {
    tasks: ports.files.read(tasksIn(ralphDir)),
    changes: view.changes,
    packageJson: ports.files.read('package.json'),
    branch: view.branch,
    baseIsAncestor: view.baseIsAncestor,
    uncommitted: view.uncommitted,
    dropped: view.dropped,
    nestedRepositories: view.nestedRepositories,
    gitDirectory: view.gitDirectory.filter(({ goodFaith }) => !goodFaith).map(({ line }) => line),
    ...(memory.marker === null ? {} : { marker: markerNow(ports, memory.marker) }),
  }
  memory.seen = { view, now }
  return ok(memory.seen)
}

export const tasksIn = (ralphDir: string): string => `${ralphDir}/tasks.json`

/** In the tree also where they are ignored: what steers agents, and the files of the loop. */
const watchedIn = (ralphDir: string): string[] => [
  '.ralph/settings.json',
  '.ralph/settings.local.json',
  ...['tasks.json', 'prd.md', 'prompt.md', 'progress.txt'].map((name) => `${ralphDir}/${name}`),
  ...steeringPaths,
]

function markerNow(ports: StoriesPorts, written: string): NonNullable<Observation['marker']> {
  const seen = ports.files.read(markerPath)
  if (seen.kind === 'missing') return 'missing'
  return seen.kind === 'text' && seen.text === written ? 'as-written' : 'changed'
}

/**
 * Neither the artefacts of checks nor what was dirty before are anybody's work. What somebody has committed is part of the
 * project, whoever makes it: a commit must hold what its checks were run on.
 */
async function withoutOthers(
  { referee, dirtyPaths, options }: StoriesPorts,
  view: RepositoryView,
  { artefacts, base }: LookRequest,
): Answer<RepositoryView> {
  if (artefacts.length === 0 && dirtyPaths.length === 0) return ok(view)
  const dirty = new Set(dirtyPaths)
  const untracked = new Set(view.untracked)
  const gone = view.changes.filter(({ path, kind }) => kind === 'deleted' && isArtefact(path, artefacts))
  const tracked = gone.length === 0 || base === null ? ok([]) : await referee.listFiles(base.commit)
  if (!tracked.ok) return tracked
  const wasTracked = new Set(tracked.value)
  const goneArtefacts = new Set(gone.map(({ path }) => path).filter((path) => !wasTracked.has(path)))
  const isMade = (path: string): boolean =>
    goneArtefacts.has(path) || (untracked.has(path) && isArtefact(path, artefacts))
  // No check makes what steers an agent, also where it has made a directory for it.
  const isOthers = (path: string): boolean =>
    dirty.has(path) || (isMade(path) && !isSteeringPath(path) && !isPeopleOnly(path, options.ralphDir))
  const others = view.uncommitted.filter(isOthers)
  return ok({
    ...view,
    changes: view.changes.filter(({ path }) => !isOthers(path)),
    uncommitted: view.uncommitted.filter((path) => !isOthers(path)),
    // So that a commit of everything leaves them out.
    leftOut: [...view.leftOut, ...others.map((path) => ({ path, why: 'it was there before, or a check makes it' }))],
  })
}
