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
import { takeUpIteration, takeUpProject } from './take-up.ts'

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
    marker: null,
    tracked: new Set(),
    leftOut: new Map(),
    start: null,
  }
  return {
    name: 'stories',
    list: () => memory.list,
    async *open(state) {
      const tracked = await referee.listFiles(referee.baseline.commit)
      if (!tracked.ok) return tracked
      memory.tracked = new Set(tracked.value)
      if (state.open === null) return yield* takeUpProject(ports, memory, state)
      const before = await takeUpIteration(ports, state.open)
      if (!before.ok) return before
      memory.before = before.value
      memory.list = before.value.list
      memory.branch = state.open.branch
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
