import { limitReached, type Limits } from '../limits/limit-reached.ts'
import type { AgentOutcome, MovedStory } from '../model/event.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import type { StopReason } from '../model/stop-reason.ts'
import type { Plan } from './workflow.ts'

/** The one thing that is to be done next. */
export type Step =
  /** An iteration whose agent nobody saw end: the runner was killed. */
  | { readonly kind: 'recover'; readonly open: OpenIteration }
  | { readonly kind: 'judge' | 'repair' | 'settle' | 'close'; readonly open: OpenIteration }
  | { readonly kind: 'apply'; readonly moves: readonly MovedStory[] }
  | { readonly kind: 'iterate'; readonly plan: Extract<Plan, { kind: 'iterate' }> }
  | { readonly kind: 'wait'; readonly until: string; readonly reason: string }
  | { readonly kind: 'finish' }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly details: readonly string[] }

/** What is known beside the journal. */
export interface Circumstances {
  readonly nowMs: number
  readonly limits: Limits
  readonly maxWaitMs: number
  /** Somebody wants the run to end: a signal, or `ralph cancel`. */
  readonly stopRequested: boolean
  /** Asked for only between iterations. */
  plan(): Plan
}

/**
 * From the state to the next step. An iteration that has begun is brought to its end first, whatever else is the matter:
 * only judged work may be built upon. The first cause that ends a run wins.
 *
 *     iterate → (agent) → judge → repair → settle → apply → close → … → finish → stop
 */
export function decide(state: RunState, now: Circumstances): Step {
  if (state.open !== null) return inIteration(state.open, state)
  if (state.stories.pending.length > 0) return { kind: 'apply', moves: state.stories.pending }
  if (now.stopRequested) return stop('interrupted')
  const fatal = state.lastOutcome === null ? undefined : fatalOutcomes[state.lastOutcome]
  if (fatal !== undefined) return stop(fatal, state.lastError)
  const plan = now.plan()
  if (plan.kind === 'stop') return plan
  if (plan.kind === 'finish') return plan
  const limit = limitReached(state, now.limits, now.nowMs)
  if (limit !== null) return stop(limit, limit === 'too_many_errors' ? lastTrouble(state, now.limits) : null)
  return waitFor(state, now) ?? { kind: 'iterate', plan }
}

/** Starts that are not counted leave no error behind. */
function lastTrouble({ consecutiveErrors, lastError, agentStarts }: RunState, limits: Limits): string | null {
  if (consecutiveErrors >= limits.maxConsecutiveErrors) return lastError
  return `the agent was started ${agentStarts} times for at most ${limits.maxIterations} iterations, mostly in vain`
}

function inIteration(open: OpenIteration, { stories }: RunState): Step {
  if (open.outcome === null) return { kind: 'recover', open }
  if (open.verdict === null) return { kind: 'judge', open }
  const { violations, unfinished } = open.verdict
  if (open.moves === null) {
    const isClean = violations.length === 0 && unfinished.length === 0
    return { kind: isClean || open.repaired ? 'settle' : 'repair', open }
  }
  return stories.pending.length > 0 ? { kind: 'apply', moves: stories.pending } : { kind: 'close', open }
}

function waitFor(state: RunState, now: Circumstances): Step | null {
  if (state.notBefore === null) return null
  const leftMs = Date.parse(state.notBefore) - now.nowMs
  if (leftMs <= 0) return null
  const reason = state.lastOutcome === 'overloaded' ? 'overloaded' : 'usage-limit'
  if (reason === 'usage-limit' && leftMs > now.maxWaitMs) return stop('usage_limit', `it resets at ${state.notBefore}`)
  return { kind: 'wait', until: state.notBefore, reason }
}

/** No iteration would go better than the last one. */
const fatalOutcomes: Partial<Record<AgentOutcome, StopReason>> = {
  'not-logged-in': 'not_logged_in',
  unavailable: 'agent_unavailable',
}

const stop = (reason: StopReason, detail: string | null = null): Step => ({
  kind: 'stop',
  reason,
  details: detail === null ? [] : [detail],
})
