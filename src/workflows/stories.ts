import { ok } from '../base/result.ts'
import type { Workflow } from '../loop/workflow.ts'
import type { TaskList } from '../model/story.ts'
import { applyMoves } from './apply-moves.ts'
import { closeIteration } from './close-iteration.ts'
import { finishStories } from './finish-stories.ts'
import { judgeIteration } from './judge-iteration.ts'
import { markerPath } from './look.ts'
import { planStories } from './plan-stories.ts'
import { repairIteration } from './repair-iteration.ts'
import { settleIteration } from './settle-iteration.ts'
import { startIteration } from './start-iteration.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'
import { readList } from './read-list.ts'
import { takeUpCompletion, takeUpIteration, takeUpProject } from './take-up.ts'

/** The stories workflow: implement → review → (fix → review)* → approved, for every story of the list. */
export function storiesWorkflow(ports: StoriesPorts, given: TaskList): Workflow & { list(): TaskList } {
  const { referee } = ports
  const nowhere = { commit: referee.baseline.commit, tree: referee.baseline.commit }
  const memory: StoriesMemory = {
    list: given,
    base: nowhere,
    branch: referee.baseline.branch,
    before: { list: given, base: nowhere, packageJson: null },
    seen: null,
    locksSince: null,
    marker: null,
    tracked: new Set(),
    leftOut: new Map(),
    movedBranches: new Set(),
    start: null,
  }
  return {
    name: 'stories',
    list: () => memory.list,
    async *open(state) {
      const tracked = await referee.listFiles(referee.baseline.commit)
      if (!tracked.ok) return tracked
      memory.tracked = new Set(tracked.value)
      const { open, completing, isResumed, lastIterationAt, startedAt } = state
      if (isResumed) memory.locksSince = Date.parse(lastIterationAt ?? startedAt)
      if (completing !== null) return yield* takeUpCompletion(ports, memory, { state, judged: completing })
      if (open === null) return yield* takeUpProject(ports, memory, state)
      const before = await takeUpIteration(ports, open)
      if (!before.ok) return before
      memory.before = before.value
      memory.branch = open.branch
      // Once it is decided what becomes of the work, the list on the disk is the legal one.
      const list = open.moves === null ? ok(before.value.list) : readList(ports)
      if (!list.ok) return list
      memory.list = list.value
      return ok(undefined)
    },
    plan: (state) => planStories(memory.list, state, ports.options),
    start: (starting, state) => startIteration(ports, memory, { starting, state }),
    judge: (open, state) => judgeIteration(ports, memory, { open, state }),
    repair: (open, state) => repairIteration(ports, memory, { open, state }),
    settle: (open, state) => settleIteration(ports, memory, { open, state }),
    apply: (moves, state) => applyMoves(ports, memory, { moves, state }),
    close: (open, state) => closeIteration(ports, memory, { open, state }),
    finish: (state) => finishStories(ports, memory, state),
    end() {
      // A marker that cannot be removed is told by the next run; the hooks see that its lock is gone.
      ports.files.remove(markerPath)
    },
  }
}
