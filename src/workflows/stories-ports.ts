import type { Clock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import type { Referee } from '../git/referee.ts'
import type { CheckResult } from '../model/check-result.ts'
import type { Failure } from '../model/failure.ts'
import type { SeenFile } from '../model/observation.ts'
import type { RanCheck } from '../model/run-state.ts'
import type { IterationMode } from '../model/story.ts'
import type { RunOptions } from '../settings/run-options.ts'

/** A piece of the project that the referee took out. */
export interface TakenOut {
  readonly what: string
  readonly bytes: Uint8Array
}

/** Everything outside of itself that the stories workflow touches. */
export interface StoriesPorts {
  readonly clock: Clock
  readonly referee: Referee
  readonly runId: string
  readonly pid: number
  /** Whether agents run in a box; the marker tells the hooks. */
  readonly boxed: boolean
  readonly options: RunOptions
  /** prompt.md of this installation, for projects that have none. */
  readonly defaultTemplate: string
  /** Paths that were dirty when the run started and are left out of every judgement. */
  readonly dirtyPaths: readonly string[]
  readonly files: {
    read(path: string): SeenFile
    write(path: string, text: string): Result<void, Failure>
    /** For the agent to see. Worth nothing after a crash: nobody waits for the disk. */
    show(path: string, text: string): Promise<Result<void, Failure>>
    remove(path: string): Result<void, Failure>
  }
  /** When it returns, nothing that the check started is left. */
  check(request: CheckRequest): Promise<Result<CheckResult, Failure>>
  /** A check that ran earlier, from its log. */
  recall(check: RanCheck): CheckResult
  /** Puts the output of a failed check where the agent can read it; the path relative to the project, or null. */
  publishLog(check: CheckResult, iteration: number): string | null
  saveTakenOut(iteration: number, items: readonly TakenOut[]): Result<void, Failure>
  /** Whether the agent of this mode shows what it does, so that an empty answer of it can have judged nothing. */
  showsWork(mode: IterationMode): boolean
  /** The next check runs where no agent has been, if that is wanted and can be had. */
  freshBox(): Promise<Result<void, Failure>>
  /** The project's instructions for agents that are started without them, as this iteration's agent gets them. */
  placeInstructions(mode: IterationMode): Promise<Result<void, Failure>>
  /** 128 bits in hexadecimal. */
  newNonce(): string
  sha256(text: string): string
  remark(text: string): void
  readonly stop: AbortSignal
}

export interface CheckRequest {
  readonly command: string
  readonly iteration: number
  readonly mode: IterationMode | null
  readonly story: string | null
}
