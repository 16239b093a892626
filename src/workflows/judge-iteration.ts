import { ok } from '../base/result.ts'
import type { Steps } from '../loop/workflow.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import type { Snapshot } from '../model/snapshot.ts'
import type { IterationMode } from '../model/story.ts'
import { judge } from '../tasks/judge.ts'
import type { Verdict } from '../tasks/judge-turn.ts'
import type { Rules } from '../tasks/rules.ts'
import { takeSnapshot } from '../tasks/take-snapshot.ts'
import type { RepositoryView } from '../git/observe.ts'
import { look } from './look.ts'
import { maxNamed, nameViolations } from './name-violations.ts'
import { rulesFor } from './rules-for.ts'
import type { StoriesMemory } from './stories-memory.ts'
import type { StoriesPorts } from './stories-ports.ts'

/** The parts of one judgement, the same for judging, repairing and settling. */
export interface Case {
  readonly before: Snapshot
  readonly mode: IterationMode
  readonly rules: Rules
}

export function caseOf(ports: StoriesPorts, memory: StoriesMemory, open: OpenIteration): Case {
  return {
    before: takeSnapshot(memory.before.list, open.branch),
    mode: open.mode ?? 'implement',
    rules: rulesFor(ports, memory, open),
  }
}

/** Looks at what the agent left, first thing after its last process is gone, and says what of it may not stay. */
export async function* judgeIteration(
  ports: StoriesPorts,
  memory: StoriesMemory,
  { open, state }: { readonly open: OpenIteration; readonly state: RunState },
): Steps {
  const seen = await look(ports, memory, {
    iteration: open.iteration,
    base: memory.before.base,
    locksSince: Date.parse(open.startedAt),
    artefacts: state.stories.artefacts,
  })
  if (!seen.ok) return seen
  // Later looks name what checks make as well.
  if (open.story !== null)
    memory.leftOut.set(
      open.story,
      seen.value.view.leftOut.map(({ path }) => path),
    )
  const { before, mode, rules } = caseOf(ports, memory, open)
  const { illegal, unfinished } = withoutBlame(judge(before, seen.value.now, mode, rules), open)
  const { head, tree } = seen.value.view
  const branches = newlyMoved(ports, memory)
  yield {
    kind: 'verdict.given',
    iteration: open.iteration,
    ok: illegal.length === 0,
    ...nameViolations(illegal),
    unfinished: unfinished.slice(0, maxNamed),
    ...(branches.length === 0 ? {} : { branches }),
    head,
    tree,
  }
  // What tools write into .git in good faith is put back as well, and nobody is blamed for it.
  const found = gitRepairs(seen.value.view)
  if (found.length > 0 && illegal.length === 0 && unfinished.length === 0) {
    yield { kind: 'state.repaired', iteration: open.iteration, what: found, commit: null, tree }
  }
  return ok(undefined)
}

/** Each is told once. Other branches are not the loop's: a story may have to move one, and people may work on them meanwhile. */
function newlyMoved({ referee }: StoriesPorts, { movedBranches }: StoriesMemory): string[] {
  const moved = referee.movedBranches().filter((line) => !movedBranches.has(line))
  for (const line of moved) movedBranches.add(line)
  return moved.slice(0, maxNamed)
}

/** Who was cut off right after an approval has not cheated. It does not count all the same: a verdict is missing. */
function withoutBlame(verdict: Verdict, { outcome }: OpenIteration): Verdict {
  const { illegal, unfinished } = verdict
  const isCutOff = outcome === 'interrupted' || outcome === 'usage-limit' || outcome === 'overloaded'
  if (!isCutOff || illegal.some(({ rule }) => rule !== 'approval-void')) return verdict
  const missing = illegal.map(({ story, message }) => ({ what: 'no-verdict' as const, story, message }))
  return { illegal: [], unfinished: [...missing, ...unfinished] }
}

/** What looking at `.git` has put back, in words. */
export const gitRepairs = ({ gitDirectory }: RepositoryView): string[] =>
  gitDirectory.slice(0, maxNamed).map(({ line }) => `put back: ${line}`)
