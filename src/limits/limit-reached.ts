import type { RunState } from '../model/run-state.ts'
import type { StopReason } from '../model/stop-reason.ts'

/** What ends a run before it is done; null is no limit. */
export interface Limits {
  readonly maxIterations: number
  readonly maxCostUsd: number | null
  readonly maxTokens: number | null
  readonly maxTimeMs: number | null
  readonly idleThreshold: number
  readonly maxConsecutiveErrors: number
}

/** Retries included, so that a service that never answers cannot keep a run going for ever. */
const startsPerIteration = 3

/**
 * The limit that ends the run before its next iteration, or null. Where several are reached at once, what says most about
 * the cause comes first: errors and idleness before the figures that they used up.
 */
export function limitReached(state: RunState, limits: Limits, nowMs: number): StopReason | null {
  if (state.consecutiveErrors >= limits.maxConsecutiveErrors) return 'too_many_errors'
  if (state.idleIterations >= limits.idleThreshold) return 'idle'
  if (limits.maxCostUsd !== null && (state.costUsd ?? 0) >= limits.maxCostUsd) return 'budget_exhausted'
  if (limits.maxTokens !== null && usedTokens(state) >= limits.maxTokens) return 'budget_exhausted'
  if (timeLeftMs(state, limits, nowMs) <= 0) return 'timeout'
  if (state.iteration >= limits.maxIterations) return 'max_iterations'
  return state.agentStarts >= startsPerIteration * limits.maxIterations ? 'too_many_errors' : null
}

/** What is left of `--max-time`; waits count. Infinity without a limit. */
export function timeLeftMs(state: RunState, limits: Limits, nowMs: number): number {
  if (limits.maxTimeMs === null) return Number.POSITIVE_INFINITY
  return limits.maxTimeMs - state.activeMs - Math.max(0, nowMs - Date.parse(state.lastEventAt))
}

/** What is left of `--max-cost`, for agents that can keep a budget themselves; null without a limit. */
export function costLeftUsd(state: RunState, limits: Limits): number | null {
  return limits.maxCostUsd === null ? null : Math.max(0, limits.maxCostUsd - (state.costUsd ?? 0))
}

/** Read from the cache counts as well: it is what the figure at the provider says. */
const usedTokens = ({ tokens }: RunState): number => tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite
