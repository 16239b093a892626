import { visibleLine } from '../base/visible.ts'
import type { Observation } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import type { IterationMode } from '../model/story.ts'
import type { Unfinished, Violation } from '../model/violation.ts'
import type { Context, Ledger, Rejected } from './draft.ts'
import { brokenInvariants } from './invariants.ts'
import { judgeFiles, putScriptsBack, type FileRepair } from './judge-files.ts'
import { readTasks, writeTasks } from './read-tasks.ts'
import type { Rules } from './rules.ts'
import { describeUnread, settleList, type SettledList } from './settle-list.ts'
import { someOf } from './some-of.ts'

export interface Verdict {
  /** Must not stay. The hook blocks on it, the runner puts it back. */
  readonly illegal: readonly Violation[]
  /** Something is missing. The hook blocks on it, the runner tells the next agent. */
  readonly unfinished: readonly Unfinished[]
}

/** What the runner does about a verdict; after it nothing is illegal. */
export interface Repair {
  readonly list: SettledList['list']
  /** The new text of tasks.json, or null when it may stay as it is. */
  readonly tasks: string | null
  /** The new text of package.json, or null when it may stay (or comes back whole, with `files.restore`). */
  readonly packageJson: string | null
  readonly files: FileRepair
  readonly move: SettledList['move']
  /** Everything of the list that is taken out, to be saved first. */
  readonly rejected: readonly Rejected[]
}

/** What of the agent's work may not stay, and what is missing: the same for the hook and the runner. */
export function judge(before: Snapshot | null, now: Observation, mode: IterationMode, rules: Rules): Verdict {
  if (before === null) return judgeWithoutSnapshot(now, rules)
  const { ledger } = settle(before, now, mode, rules)
  return { illegal: ledger.illegal, unfinished: ledger.unfinished }
}

/** How the last legal state of exactly what was illegal is put back. */
export function repair(before: Snapshot, now: Observation, mode: IterationMode, rules: Rules): Repair {
  const { ledger, files, settled } = settle(before, now, mode, rules)
  return {
    list: settled.list,
    tasks: settled.differs && settled.list !== null ? writeTasks(settled.list) : null,
    packageJson: files.scripts.size === 0 ? null : putScriptsBack(now, files.scripts),
    files,
    move: settled.move,
    rejected: ledger.rejected,
  }
}

function settle(before: Snapshot, now: Observation, mode: IterationMode, rules: Rules) {
  const ledger: Ledger = { illegal: [], unfinished: [], rejected: [], commands: 0 }
  const context: Context = { mode, rules, ledger }
  const files = judgeFiles(before, now, context)
  const touched = mode === 'review' && ledger.illegal.length > 0
  const approvalVoid = touched
    ? 'the review changed more than its verdict'
    : rules.agentSucceeded
      ? null
      : 'the run of the agent did not succeed'
  const settled = settleList(before, now.tasks, context, { approvalVoid })
  ledger.unfinished.push(...notCommitted(now.uncommitted ?? []))
  return { ledger, files, settled }
}

/** An older marker without a snapshot: transitions cannot be checked, schema and invariants still are. */
function judgeWithoutSnapshot(now: Observation, rules: Rules): Verdict {
  const unfinished = notCommitted(now.uncommitted ?? [])
  if (now.tasks.kind !== 'text') {
    return { illegal: [{ rule: 'tasks-unreadable', story: null, message: describeUnread(now.tasks) }], unfinished }
  }
  const read = readTasks(now.tasks.text)
  const illegal: Violation[] = read.ok
    ? brokenInvariants(read.value, rules).map(({ story, message }) => ({ rule: 'invariant', story, message }))
    : read.error.map(({ story, message }) => ({ rule: 'schema', story, message }))
  return { illegal, unfinished }
}

function notCommitted(paths: readonly string[]): Unfinished[] {
  if (paths.length === 0) return []
  const some = someOf(paths.map((path) => visibleLine(path)))
  const message =
    `There are uncommitted changes (${some}). Update progress.txt with what was done and learned, consider ` +
    'whether a lasting pattern belongs in CLAUDE.md or .claude/rules/, then commit ALL changes including progress.txt and tasks.json.'
  return [{ what: 'not-committed', story: null, message }]
}
