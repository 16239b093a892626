import { ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Answer, Steps } from '../loop/workflow.ts'
import type { Failure } from '../model/failure.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import { repair, type Repair } from '../tasks/judge.ts'
import { clearMarker } from './clear-marker.ts'
import { commitWork } from './commit-work.ts'
import { caseOf, gitRepairs } from './judge-iteration.ts'
import { look, tasksIn } from './look.ts'
import { maxNamed } from './name-violations.ts'
import type { Seen, StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'
import { takenOut } from './taken-out.ts'

/**
 * Puts back exactly what is illegal and commits that, and what was left uncommitted. What is taken out is saved before.
 * A crash in the middle is made good by doing it again: what is legal already stays as it is.
 */
export async function* repairIteration(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { open, state }: { readonly open: OpenIteration; readonly state: RunState },
): Steps {
  const looking = { iteration: open.iteration, base: memory.before.base, artefacts: state.stories.artefacts }
  const first: Result<Seen, Failure> = memory.seen === null ? await look(ports, memory, looking) : ok(memory.seen)
  if (!first.ok) return first
  const { before, mode, rules } = caseOf(ports, memory, open)
  const fix = repair(before, first.value.now, mode, rules)
  const written = await putBack(ports, memory, { fix, open, seen: first.value })
  if (!written.ok) return written
  // An agent may have had git ignore what came back; what was committed before is committed again all the same.
  const again = { ...looking, watch: fix.files.restore }
  const seen: Result<Seen, Failure> = written.value.length > 0 ? await look(ports, memory, again) : first
  if (!seen.ok) return seen
  const { iteration } = open
  const commit = fix.files.history
    ? await putHistoryBack(ports, memory, { open, seen: seen.value })
    : await commitWork(ports, memory, {
        seen: seen.value,
        iteration,
        own: [...written.value, ...fix.files.track],
        message: `ralph: put back what iteration ${iteration} may not change`,
        leftOver: true,
      })
  if (!commit.ok) return commit
  // HEAD, branch and index have moved: what was seen of them is no longer true.
  const after = fix.files.history ? await look(ports, memory, looking) : ok(memory.seen ?? seen.value)
  if (!after.ok) return after
  const what = [
    ...gitRepairs(first.value.view),
    ...written.value.map((path) => `put back ${visibleLine(path)}`),
    ...fix.files.track.map((path) => `put ${visibleLine(path)} back into git`),
    ...(fix.files.history ? [`put the history of ${open.branch} back`] : []),
    ...(fix.files.marker ? ['put .ralph-active back'] : []),
    ...(commit.value !== null && written.value.length === 0 ? ['committed what was left uncommitted'] : []),
  ]
  const { tree } = after.value.view
  // All of it is kept.
  yield { kind: 'state.repaired', iteration, what: what.slice(0, maxNamed), commit: commit.value, tree }
  return ok(undefined)
}

/** The paths that were written. */
async function putBack(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { fix, open, seen }: { readonly fix: Repair; readonly open: OpenIteration; readonly seen: Seen },
): Answer<readonly string[]> {
  const { referee, files, options } = ports
  const { iteration } = open
  const tasks = tasksIn(options.ralphDir)
  // A list that is a link, a directory or gone is made a file again before it is written.
  const isNoFile = fix.tasks !== null && seen.now.tasks.kind !== 'text'
  const restore = [...new Set([...fix.files.restore, ...(isNoFile ? [tasks] : [])])]
  const fromList = fix.rejected.map(({ what, value }) => ({ what, bytes: Buffer.from(JSON.stringify(value, null, 2)) }))
  const saved = ports.saveTakenOut(iteration, fromList)
  if (!saved.ok) return saved
  if (restore.length > 0) {
    const restored = await referee.restore(memory.before.base.tree, restore)
    if (!restored.ok) return restored
    const kept = ports.saveTakenOut(iteration, restored.value.flatMap(takenOut))
    if (!kept.ok) return kept
  }
  if (fix.files.marker) {
    const cleared = clearMarker(ports, iteration)
    if (!cleared.ok) return cleared
  }
  const written = [...restore]
  for (const [path, text] of [
    [tasks, fix.tasks],
    ['package.json', fix.packageJson],
  ] as const) {
    if (text === null) continue
    const done = files.write(path, text)
    if (!done.ok) return done
    if (!written.includes(path)) written.push(path)
  }
  return ok(written)
}

async function putHistoryBack(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { open, seen }: { readonly open: OpenIteration; readonly seen: Seen },
): Answer<string | null> {
  const repaired = await ports.referee.repairHistory({
    iteration: open.iteration,
    base: memory.before.base,
    branch: open.branch,
    view: seen.view,
    message: `ralph: the work of iteration ${open.iteration}, on the history that was there before`,
  })
  if (!repaired.ok) return repaired
  const saved = ports.saveTakenOut(open.iteration, repaired.value.rejected.flatMap(takenOut))
  if (!saved.ok) return saved
  return ok(repaired.value.commit)
}
