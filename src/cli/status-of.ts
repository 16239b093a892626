import type { ProjectLook, ProjectPhase } from '../journal/look-at-project.ts'
import type { Tokens, Workflow } from '../model/event.ts'
import type { StopReason } from '../model/stop-reason.ts'
import type { IterationMode } from '../model/story.ts'
import type { StoryCounts } from './count-stories.ts'

/** What `status --json` prints, key by key; null is what nobody knows. Programs read it: keys may be added, never changed. */
export interface Status {
  readonly state: ProjectPhase
  readonly runId: string | null
  /** Of the process that holds the project on this machine. */
  readonly pid: number | null
  readonly workflow: Workflow | null
  /** Of the iteration that goes on, else of the last one. */
  readonly mode: IterationMode | null
  readonly story: string | null
  readonly iteration: number | null
  readonly maxIterations: number | null
  readonly startedAt: string | null
  readonly lastIterationAt: string | null
  readonly stories: StoryCounts | null
  readonly costUsd: number | null
  readonly tokens: Tokens | null
  readonly errorCount: number | null
  readonly consecutiveErrors: number | null
  readonly lastError: string | null
  readonly lastCommit: string | null
  readonly idleIterations: number | null
  readonly stopReason: StopReason | null
}

export function statusOf({ phase, lock, runId, run }: ProjectLook, stories: StoryCounts | null): Status {
  const iteration = run?.open ?? run?.last
  const max = run?.options['maxIterations']
  return {
    state: phase,
    runId,
    pid: lock.kind === 'held' ? lock.owner.pid : null,
    workflow: run?.workflow ?? null,
    mode: iteration?.mode ?? null,
    story: iteration?.story ?? null,
    iteration: run?.iteration ?? null,
    maxIterations: typeof max === 'number' ? max : null,
    startedAt: run?.startedAt ?? null,
    lastIterationAt: run?.lastIterationAt ?? null,
    stories,
    costUsd: run?.costUsd ?? null,
    tokens: run?.tokens ?? null,
    errorCount: run?.errorCount ?? null,
    consecutiveErrors: run?.consecutiveErrors ?? null,
    lastError: run?.lastError ?? null,
    lastCommit: run?.lastCommit ?? null,
    idleIterations: run?.idleIterations ?? null,
    stopReason: run?.stopped?.reason ?? null,
  }
}
