import type { Observation } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import type { IterationMode } from '../model/story.ts'
import { buildList, type BuiltList } from './build-list.ts'
import type { Rejected } from './draft.ts'
import { judgeFiles, putScriptsBack, type FileRepair } from './judge-files.ts'
import { judgeTurn, settle, type Verdict } from './judge-turn.ts'
import { limitNewCommands } from './limit-new-commands.ts'
import { writeTasks } from './read-tasks.ts'
import type { Rules } from './rules.ts'

/** What the runner does about a verdict; after it nothing is illegal. */
export interface Repair {
  readonly list: BuiltList['list']
  /** The new text of tasks.json, or null when it may stay as it is. */
  readonly tasks: string | null
  /** The new text of package.json, or null when it may stay (or comes back whole, with `files.restore`). */
  readonly packageJson: string | null
  readonly files: FileRepair
  readonly move: BuiltList['move']
  /** Everything of the list that is taken out, to be saved first. */
  readonly rejected: readonly Rejected[]
}

/** What of the agent's work may not stay, and what is missing. Of what the hook sees, the hook says the same. */
export function judge(before: Snapshot | null, now: Observation, mode: IterationMode, rules: Rules): Verdict {
  if (before === null) return judgeTurn(before, now, mode, rules)
  const { ledger } = settleAll(before, now, mode, rules)
  // What the journal says of a violation.
  const illegal = ledger.illegal.map(({ rule, story, message }) => ({ rule, story, message }))
  return { illegal, unfinished: ledger.unfinished }
}

/** How the last legal state of exactly what was illegal is put back. */
export function repair(before: Snapshot, now: Observation, mode: IterationMode, rules: Rules): Repair {
  const { ledger, files, built } = settleAll(before, now, mode, rules)
  return {
    list: built.list,
    tasks: built.differs && built.list !== null ? writeTasks(built.list) : null,
    packageJson: files.scripts.size === 0 ? null : putScriptsBack(now, files.scripts),
    files,
    move: built.move,
    rejected: ledger.rejected,
  }
}

function settleAll(before: Snapshot, now: Observation, mode: IterationMode, rules: Rules) {
  const done = settle(before, now, { mode, rules }, (context) => judgeFiles(before, now, context))
  limitNewCommands(before, done.settled, done.context)
  return { ...done, built: buildList(before, now.tasks, done.settled, done.context) }
}
