import type { Result } from '../base/result.ts'
import type { Event, MovedStory, Workflow as WorkflowName } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import type { OpenIteration, RunState } from '../model/run-state.ts'
import type { StopReason } from '../model/stop-reason.ts'
import type { IterationMode } from '../model/story.ts'

/** What a workflow wants next, from what it knows now. */
export type Plan =
  | { readonly kind: 'iterate'; readonly mode: IterationMode | null; readonly story: string | null }
  /** Everything looks done: verify it. */
  | { readonly kind: 'finish' }
  /** Nothing can go on without a person. */
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly details: readonly string[] }

/** Facts on their way into the journal: each is recorded, and folded into the state, before the next line runs. */
export type Steps<T = void> = AsyncGenerator<Event, Result<T, Failure>, void>

export type Answer<T> = Promise<Result<T, Failure>>

/** The start of one agent, as the engine knows it. */
export interface Starting {
  readonly iteration: number
  readonly mode: IterationMode | null
  readonly story: string | null
  readonly sessionId: string
}

/** The snapshot that this start will be judged against, and what the agent is told. */
export interface Started {
  readonly base: string
  readonly branch: string
  readonly tree: string
  readonly prompt: string
}

export interface Closing {
  readonly changed: boolean
  readonly commits: readonly string[]
  readonly error: string | null
  readonly counted: boolean
}

/** How a completion turned out. */
export type Finished =
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly details: readonly string[] }
  /** It did not hold, and somebody can go on. */
  | { readonly kind: 'go-on' }

/**
 * What differs between the kinds of loop: what is prompted, what is judged, what counts as done. The engine calls these in
 * the order of an iteration; each must be able to run again from the journal alone, because a crash may come anywhere.
 */
export interface Workflow {
  readonly name: WorkflowName
  /** At each start of the process, before anything else: takes up the open iteration, or what is on the disk. */
  open(state: RunState): Steps
  plan(state: RunState): Plan
  /** Everything before the agent starts: what steers it is put in place, the snapshot is taken. */
  start(starting: Starting, state: RunState): Answer<Started>
  /** All processes of the agent are gone: looks and judges. Yields `verdict.given`. */
  judge(open: OpenIteration, state: RunState): Steps
  /** Puts back what is illegal and commits what was left. Yields `state.repaired`. */
  repair(open: OpenIteration, state: RunState): Steps
  /**
   * Checks, compares again and decides what becomes of the work. Yields `check.finished` and `stories.moved`; the value is
   * false if it was interrupted before it could decide.
   */
  settle(open: OpenIteration, state: RunState): Steps<boolean>
  /** Writes the runner's own moves. Yields `state.repaired`. */
  apply(moves: readonly MovedStory[], state: RunState): Steps
  close(open: OpenIteration, state: RunState): Answer<Closing>
  /** Verifies a completion on one commit. */
  finish(state: RunState): Steps<Finished>
  /** Leaves nothing behind that only a running loop needs. */
  end(): void
}
