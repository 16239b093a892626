import type { AgentReport } from '../agents/agent.ts'
import type { Clock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import type { Limits } from '../limits/limit-reached.ts'
import type { Event, Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import type { Notice } from '../model/notice.ts'
import type { RunState } from '../model/run-state.ts'
import type { IterationMode } from '../model/story.ts'

/** One start of an agent: from the prompt to the end of its last process. */
export interface AgentStart {
  readonly iteration: number
  readonly mode: IterationMode | null
  readonly story: string | null
  readonly sessionId: string
  readonly prompt: string
  readonly maxCostUsd: number | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
  onNotice(notice: Notice): void
}

export interface AgentEnd extends AgentReport {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
}

export interface AgentPort {
  readonly name: string
  readonly model: string | null
  /** When it returns, nothing that the agent started is left. */
  start(start: AgentStart): Promise<Result<AgentEnd, Failure>>
}

/** Everything that the engine touches. */
export interface LoopPorts {
  readonly clock: Clock
  readonly journal: {
    readonly state: RunState | null
    append(event: Event): Result<Recorded, Failure>
  }
  readonly show: {
    event(event: Recorded, state: RunState): void
    notice(notice: Notice): void
  }
  agentFor(mode: IterationMode | null): AgentPort
  newSessionId(): string
  /** Returns at the given time (ms since the epoch), or when the run is to stop. */
  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void>
  /** Asked before every iteration: whoever lost the project to somebody else must not go on in it. */
  ensureHeld(): Result<void, Failure>
  readonly stop: {
    /** Aborted when everything is to stop now. */
    readonly signal: AbortSignal
    /** Also true when the run is to stop after this iteration. */
    requested(): boolean
  }
}

/** What the engine needs to know of the options. */
export interface LoopOptions {
  readonly limits: Limits
  readonly maxWaitMs: number
  readonly iterationTimeoutMs: number
  readonly completionTag: string
  /** An end with concerns is one that a person has to look at. */
  readonly strict: boolean
}
