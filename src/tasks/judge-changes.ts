import { visibleLine } from '../base/visible.ts'
import type { Observation, PathChange } from '../model/observation.ts'
import type { Snapshot } from '../model/snapshot.ts'
import { breach, reject, type Context, type Finding } from './draft.ts'
import { isPeopleOnly } from '../model/is-people-only.ts'
import { fold, isAtOrIn, isSteeringPath } from '../model/steering-paths.ts'

/** The row "files" of the table; returns the paths that go back to the snapshot. */
export function judgeChanges(changes: readonly PathChange[], context: Context): string[] {
  return changes.flatMap(({ path }) => {
    const finding = ruleOnFile(path, context)
    if (finding === null) return []
    reject(context, finding.rule, null, `${visibleLine(path)}: ${finding.message}`, path)
    return [path]
  })
}

/** Why this file may not change, if it may not. */
export function ruleOnFile(path: string, { mode, rules }: Context): Finding | null {
  if (isRunnersOwn(path)) return breach('people-only-file', 'only the runner writes this file. Take it out.')
  if (isPeopleOnly(path, rules.ralphDir))
    return breach('people-only-file', 'only people change this file. Put it back.')
  if (isSteeringPath(path)) {
    return breach('steering-file', 'configuration of agents may not change during a loop. Put it back.')
  }
  // The list and the log of the loop have rules of their own, and every iteration writes them.
  if (isOfTheLoop(path, rules.ralphDir)) return null
  if (rules.protects(path)) {
    return breach('protected-file', 'the checks stand on this file; it may not change during a loop. Put it back.')
  }
  if (mode !== 'review' || isMemory.test(fold(path))) return null
  return breach('review-changed-files', 'a review iteration judges and does not change files. Put it back.')
}

/** Files that only the runner writes; in the tree of no snapshot, so they are seen when somebody forced them into a commit. */
export function isRunnersOwn(path: string): boolean {
  const folded = fold(path)
  return isAtOrIn(folded, '.ralph-active') || folded.startsWith('.ralph/guardrail_')
}

const isOfTheLoop = (path: string, ralphDir: string): boolean =>
  [`${ralphDir}/tasks.json`, `${ralphDir}/progress.txt`].map(fold).includes(fold(path))

/** What a reviewer may have learned for all who come after it. */
const isMemory = /^\.claude\/rules\/|(?:^|\/)(?:claude|agents)\.md$/

/** Whether HEAD left the branch of the loop. */
export function judgeBranch(before: Snapshot, now: Observation, context: Context): boolean {
  if (before.branch === undefined || now.branch === undefined || now.branch === before.branch) return false
  const where = now.branch === null ? 'on no branch' : `on ${visibleLine(now.branch)}`
  const back = `Go back to ${before.branch} with your commits.`
  reject(context, 'branch', null, `HEAD is ${where}, not on ${before.branch}. ${back}`)
  return true
}
