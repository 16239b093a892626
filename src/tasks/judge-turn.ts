import { visibleLine } from '../base/visible.ts'
import type { Observation } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import type { IterationMode } from '../model/story.ts'
import type { Unfinished } from '../model/violation.ts'
import type { Context, Found, Ledger } from './draft.ts'
import { brokenInvariants } from './invariants.ts'
import { judgeBranch, judgeChanges } from './judge-changes.ts'
import { readTasks } from './read-tasks.ts'
import type { Rules } from './rules.ts'
import { describeUnread, settleList, type SettledList } from './settle-list.ts'
import { someOf } from './some-of.ts'

export interface Verdict {
  /** Must not stay. The hook blocks on it, the runner puts it back. */
  readonly illegal: readonly Found[]
  /** Something is missing. The hook blocks on it, the runner tells the next agent. */
  readonly unfinished: readonly Unfinished[]
}

/** The part of `judge` that speaks of what a hook can see at the end of a turn: the list, files, the branch. */
export function judgeTurn(before: Snapshot | null, now: Observation, mode: IterationMode, rules: Rules): Verdict {
  if (before === null) return judgeWithoutSnapshot(now, rules)
  return settle(before, now, { mode, rules }, (context) => {
    judgeChanges(now.changes ?? [], context)
    judgeBranch(before, now, context)
  }).ledger
}

/** Judges files in the way that is given, then the list, whose approvals depend on the files. */
export function settle<Files>(
  before: Snapshot,
  now: Observation,
  { mode, rules }: Omit<Context, 'ledger'>,
  judgeFiles: (context: Context) => Files,
): { readonly context: Context; readonly ledger: Ledger; readonly files: Files; readonly settled: SettledList } {
  const ledger: Ledger = { illegal: [], unfinished: [], rejected: [] }
  const context: Context = { mode, rules, ledger }
  const files = judgeFiles(context)
  const touched = mode === 'review' && ledger.illegal.length > 0
  const approvalVoid = touched
    ? 'the review changed more than its verdict'
    : rules.agentSucceeded
      ? null
      : 'the run of the agent did not succeed'
  const settled = settleList(before, now.tasks, context, approvalVoid)
  ledger.unfinished.push(...notCommitted(now.uncommitted ?? []))
  return { context, ledger, files, settled }
}

/** An older marker without a snapshot: transitions cannot be checked, schema and invariants still are. */
function judgeWithoutSnapshot(now: Observation, rules: Rules): Verdict {
  const unfinished = notCommitted(now.uncommitted ?? [])
  if (now.tasks.kind !== 'text') {
    return { illegal: [{ rule: 'tasks-unreadable', story: null, message: describeUnread(now.tasks) }], unfinished }
  }
  const read = readTasks(now.tasks.text)
  const rule = read.ok ? 'invariant' : 'schema'
  const problems = read.ok ? brokenInvariants(read.value, rules) : read.error
  return { illegal: problems.map(({ story, message }) => ({ rule, story, message })), unfinished }
}

function notCommitted(paths: readonly string[]): Unfinished[] {
  if (paths.length === 0) return []
  const some = someOf(paths.map((path) => visibleLine(path)))
  const message =
    `There are uncommitted changes (${some}). Update progress.txt with what was done and learned, consider ` +
    'whether a lasting pattern belongs in CLAUDE.md or .claude/rules/, then commit ALL changes including progress.txt and tasks.json.'
  return [{ what: 'not-committed', story: null, message }]
}
