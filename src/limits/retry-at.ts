import type { AgentOutcome } from '../model/event.ts'

/** A limit that does not say when it resets is asked again after this. */
const unknownResetMs = 5 * 60_000
/** The clock of a service and ours are never the same. */
const resetMarginMs = 2000
const longestBackoffMs = 60_000

/** When an agent may be started again after such an end, or null if nothing speaks against now. */
export function retryAt(
  outcome: AgentOutcome,
  { resetsAt, retries, nowMs }: { readonly resetsAt: number | null; readonly retries: number; readonly nowMs: number },
): number | null {
  if (outcome === 'usage-limit') {
    return resetsAt === null ? nowMs + unknownResetMs : Math.max(nowMs, resetsAt) + resetMarginMs
  }
  if (outcome === 'overloaded') return nowMs + Math.min(longestBackoffMs, 1000 * 2 ** Math.min(retries + 1, 10))
  return null
}
