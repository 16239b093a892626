import { ok } from '../base/result.ts'
import type { Base } from '../git/observe.ts'
import type { Steps } from '../loop/workflow.ts'
import type { TaskList } from '../model/story.ts'
import type { Violation } from '../model/violation.ts'
import type { Ledger } from '../tasks/draft.ts'
import { judgeFiles } from '../tasks/judge-files.ts'
import type { Rules } from '../tasks/rules.ts'
import { takeSnapshot } from '../tasks/take-snapshot.ts'
import { nameArtefacts } from './artefacts.ts'
import { gitRepairs } from './judge-iteration.ts'
import { look, tasksIn } from './look.ts'
import { listIn } from './read-list.ts'
import type { Seen, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'
import { takenOut } from './taken-out.ts'

/** What checks are compared with. */
export interface Comparison {
  readonly iteration: number
  /** What was judged, and what the checks were to decide about. */
  readonly judged: Base
  readonly list: TaskList
  readonly rules: Rules
  readonly artefacts: readonly string[]
  readonly checksSince: number
}

export interface Compared {
  /** New files that only the checks made. */
  readonly artefacts: readonly string[]
  /** What the checks changed that nobody may change; it has been put back. */
  readonly violations: readonly Violation[]
}

/**
 * After a check: it ran the agent's code, so HEAD, the list and every file must be what was judged. Tracked files that it
 * changed go back, new files stay and are remembered. The list, the history and what people own are no check's business.
 */
export async function* compareAgain(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { iteration, judged, list, rules, artefacts, checksSince }: Comparison,
): Steps<Compared> {
  const looking = { iteration, base: judged, artefacts, locksSince: checksSince }
  const seen = await look(ports, memory, looking)
  if (!seen.ok) return seen
  const { view } = seen.value
  // It decides nothing: tests of tools do such things.
  const git = gitRepairs(view)
  if (git.length > 0) yield { kind: 'state.repaired', iteration, what: git, commit: null, tree: judged.tree }
  const moved = view.head !== judged.commit || view.branch !== memory.branch
  if (view.changes.length === 0 && !moved && view.nestedRepositories.length === 0) {
    return ok({ artefacts: [], violations: [] })
  }
  const violations = findViolations(ports, memory, { seen: seen.value, list, rules, moved })
  const illegal = new Set(violations.map(({ path }) => path))
  const added = view.changes.filter(({ path, kind }) => kind === 'added' && !illegal.has(path) && !moved)
  const stay = new Set(added.map(({ path }) => path))
  const restore = [...view.changes.map(({ path }) => path), ...view.nestedRepositories].filter(
    (path) => !stay.has(path),
  )
  if (restore.length > 0) {
    const restored = await ports.referee.restore(judged.tree, restore)
    if (!restored.ok) return restored
    const saved = ports.saveTakenOut(iteration, restored.value.flatMap(takenOut))
    if (!saved.ok) return saved
  }
  let made: readonly string[] = []
  if (stay.size > 0) {
    const files = await ports.referee.listFiles(judged.tree)
    if (!files.ok) return files
    made = nameArtefacts([...stay], files.value)
  }
  const again = await look(ports, memory, { ...looking, artefacts: [...artefacts, ...made] })
  if (!again.ok) return again
  if (moved) {
    const { branch } = memory
    const message = `ralph: the history as it was before the checks of iteration ${iteration}`
    const back = await ports.referee.repairHistory({ iteration, base: judged, branch, view: again.value.view, message })
    if (!back.ok) return back
    const last = await look(ports, memory, { ...looking, artefacts: [...artefacts, ...made] })
    if (!last.ok) return last
  }
  return ok({ artefacts: made, violations: violations.map(({ violation }) => violation) })
}

/**
 * The same for a process that takes up what another one had judged: whatever differs now came from checks that died with it.
 * The next look is a new one.
 */
export async function* returnToJudged(
  ports: StoriesPorts,
  memory: StoriesMemory,
  comparison: Omit<Comparison, 'list'>,
): Steps<Compared> {
  const list = await listIn(ports, comparison.judged.tree)
  if (!list.ok) return list
  const compared = yield* compareAgain(ports, memory, { ...comparison, list: list.value })
  memory.seen = null
  return compared
}

interface Finding {
  /** null: the history as a whole. */
  readonly path: string | null
  readonly violation: Violation
}

function findViolations(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { seen, list, rules, moved }: { seen: Seen; list: TaskList; rules: Rules; moved: boolean },
): Finding[] {
  const tasks = tasksIn(ports.options.ralphDir)
  const { changes, nestedRepositories } = seen.view
  const finding = (path: string | null, message: string): Finding => ({
    path,
    violation: { rule: 'changed-by-checks', story: null, message },
  })
  const ledger: Ledger = { illegal: [], unfinished: [], rejected: [] }
  const before = takeSnapshot(list, memory.branch)
  // The same rules as for an agent's files; each of its findings is about the path that goes back.
  const files = judgeFiles(
    before,
    { tasks: seen.now.tasks, changes, nestedRepositories },
    { mode: 'implement', rules, ledger },
  )
  return [
    ...(moved
      ? [
          finding(
            null,
            'HEAD or the branch moved while only checks were running. Checks look at the work and do not commit.',
          ),
        ]
      : []),
    ...(changes.some(({ path }) => path === tasks)
      ? [finding(tasks, `${tasks} changed while only checks were running. That is for agents and people.`)]
      : []),
    ...files.restore.map((path, index) =>
      finding(path, `While only checks were running: ${ledger.illegal[index]?.message ?? ''}`),
    ),
  ]
}
