import { unreachable } from '../base/unreachable.ts'
import type { ProjectPhase } from '../journal/look-at-project.ts'
import type { StopReason } from '../model/stop-reason.ts'

/** How many stories are left, where somebody has looked. */
export interface StoriesLeft {
  readonly blocked: number
  /** Of a list whose run says that it is done: only with `--story` are there any. */
  readonly open: number
}

/** What a person can do about a project in this state, in one sentence that names the command. */
export function nextStep(phase: ProjectPhase, stopReason: StopReason | null, left?: StoriesLeft): string {
  switch (phase) {
    case 'none':
      return '"ralph run" starts one; "ralph init" makes what it needs.'
    case 'running':
      return '"ralph log --follow" shows it as it goes; "ralph cancel" stops it.'
    case 'crashed':
      return '"ralph run" resumes it: what its last iteration left is judged first.'
    case 'stopped':
      return stopReason === null ? '"ralph log" shows what happened.' : whenStopped(stopReason, left)
    default:
      return unreachable(phase)
  }
}

function whenStopped(reason: StopReason, left: StoriesLeft | undefined): string {
  if (reason === 'waiting' && left?.blocked === 0) return 'When that is seen to, "ralph run" goes on.'
  const isDone = reason === 'complete' || reason === 'complete_with_concerns'
  return isDone && left !== undefined && left.open > 0 ? goOn : afterStop[reason]
}

const goOn = '"ralph run" goes on with the stories that are open.'
const seeWhy = '"ralph log" shows why; "ralph run" goes on when that is seen to.'

const afterStop: Readonly<Record<StopReason, string>> = {
  complete: '"ralph archive" files it away.',
  complete_with_concerns: '"ralph log" shows what happened; "ralph archive" files it away.',
  max_iterations: `${goOn} --max-iterations allows more at once.`,
  budget_exhausted: `${goOn} --max-cost and --max-tokens allow more at once.`,
  timeout: `${goOn} --max-time allows more at once.`,
  idle: 'What the agent said is in iterations/ beside the journal; "ralph run" tries again.',
  too_many_errors: seeWhy,
  agent_unavailable: seeWhy,
  not_logged_in: 'Log the agent in, then "ralph run" goes on.',
  isolation_unavailable: seeWhy,
  locked: seeWhy,
  not_a_repository: seeWhy,
  usage_limit: 'When the limit has reset, "ralph run" goes on.',
  storage: seeWhy,
  root: seeWhy,
  waiting: '"ralph check" names who waits for what; "ralph story unblock" answers it, then "ralph run" goes on.',
  review_cap: '"ralph story approve" or "ralph story reopen" decides it, then "ralph run" goes on.',
  interrupted: '"ralph run" goes on where it was.',
}
