/** Why a run ended. Exit codes belong to these and to failures only. */
export type StopReason =
  /** Everything approved, the checks passed when the runner ran them, the tree committed. */
  | 'complete'
  /** The same, but something was approved at the cap, not reviewed, or there was no check at all. */
  | 'complete_with_concerns'
  | 'max_iterations'
  | 'budget_exhausted'
  | 'timeout'
  | 'idle'
  | 'too_many_errors'
  | 'agent_unavailable'
  | 'not_logged_in'
  | 'isolation_unavailable'
  | 'locked'
  | 'not_a_repository'
  | 'usage_limit'
  | 'storage'
  | 'root'
  /** Blocked stories, or a check that cannot start or keeps failing. */
  | 'waiting'
  | 'review_cap'
  | 'interrupted'

export const exitCodeOf: Readonly<Record<StopReason, number>> = {
  complete: 0,
  complete_with_concerns: 0,
  max_iterations: 1,
  budget_exhausted: 1,
  timeout: 1,
  idle: 1,
  too_many_errors: 1,
  agent_unavailable: 3,
  not_logged_in: 3,
  isolation_unavailable: 3,
  locked: 3,
  not_a_repository: 3,
  usage_limit: 3,
  storage: 3,
  root: 3,
  waiting: 4,
  review_cap: 4,
  interrupted: 130,
}
