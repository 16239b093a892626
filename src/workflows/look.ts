import { ok } from '../base/result.ts'
import type { Base, RepositoryView } from '../git/observe.ts'
import type { Observation } from '../model/observation.ts'
import { steeringPaths } from '../tasks/steering-paths.ts'
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
}

/** The project now, without what the runner answers for itself: its own files, what checks make, what was dirty before. */
export async function look(ports: StoriesPorts, memory: StoriesMemory, request: LookRequest): Answer<Seen> {
  const { ralphDir } = ports.options
  const { iteration, base, locksSince } = request
  const looked = await ports.referee.observe({
    iteration,
    base,
    watch: watchedIn(ralphDir),
    ...(locksSince === undefined ? {} : { locksSince }),
  })
  if (!looked.ok) return looked
  const saved = ports.saveTakenOut(iteration, looked.value.rejected.flatMap(takenOut))
  if (!saved.ok) return saved
  const view = withoutOthers(looked.value, request.artefacts, new Set(ports.dirtyPaths))
  const now: Observation = {
    tasks: ports.files.read(tasksIn(ralphDir)),
    changes: view.changes,
    packageJson: ports.files.read('package.json'),
    branch: view.branch,
    baseIsAncestor: view.baseIsAncestor,
    uncommitted: view.uncommitted,
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

function withoutOthers(view: RepositoryView, artefacts: readonly string[], dirty: ReadonlySet<string>): RepositoryView {
  if (artefacts.length === 0 && dirty.size === 0) return view
  const uncommitted = new Set(view.uncommitted)
  // What somebody has committed is part of the project, whoever makes it.
  const isOthers = (path: string, gone: boolean) =>
    dirty.has(path) || ((gone || uncommitted.has(path)) && isArtefact(path, artefacts))
  const others = view.uncommitted.filter((path) => isOthers(path, false))
  return {
    ...view,
    changes: view.changes.filter(({ path, kind }) => !isOthers(path, kind === 'deleted')),
    uncommitted: view.uncommitted.filter((path) => !isOthers(path, false)),
    // So that a commit of everything leaves them out.
    leftOut: [...view.leftOut, ...others.map((path) => ({ path, why: 'it was there before, or a check makes it' }))],
  }
}
