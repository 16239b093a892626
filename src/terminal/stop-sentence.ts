import type { StopReason } from '../model/stop-reason.ts'

/** Why a run ended, for people. */
export const stopSentence: Readonly<Record<StopReason, string>> = {
  complete: 'Complete: everything is approved, and the checks passed when Ralph ran them.',
  complete_with_concerns: 'Complete, but look at the concerns before you rely on it.',
  max_iterations: 'Not done: all iterations are used up.',
  budget_exhausted: 'Not done: the budget is used up.',
  timeout: 'Not done: the time is used up.',
  idle: 'Not done: the last iterations changed nothing.',
  too_many_errors: 'Not done: too many iterations in a row went wrong.',
  agent_unavailable: 'Not done: the agent could not be started.',
  not_logged_in: 'Not done: the agent is not logged in.',
  isolation_unavailable: 'Not done: the sandbox that was asked for is not there.',
  locked: 'Not started: another run holds this project.',
  not_a_repository: 'Not done: this is no git repository that Ralph can work in.',
  usage_limit: 'Not done: the usage limit resets too late to wait for it.',
  storage: 'Stopped: something could not be written or read. What was judged so far is safe.',
  root: 'Not started: this agent does not run as root outside a sandbox.',
  waiting: 'Waiting for you: nothing can go on without a person.',
  review_cap: 'Waiting for you: a story was rejected in its last allowed review.',
  interrupted: 'Interrupted: the same run can go on where it was.',
}
