import type { JsonObject } from '../base/json.ts'
import type { IterationMode } from './story.ts'
import type { StopReason } from './stop-reason.ts'
import type { Unfinished, Violation } from './violation.ts'

export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** How one start of an agent ended. */
export type AgentOutcome =
  | 'succeeded'
  | 'failed'
  | 'timeout'
  | 'silent'
  | 'empty'
  | 'usage-limit'
  | 'overloaded'
  | 'not-logged-in'
  | 'unavailable'
  | 'interrupted'

export interface Totals {
  readonly iterations: number
  readonly costUsd: number | null
  readonly tokens: Tokens
  readonly durationMs: number
}

/**
 * The journalled facts of a run: few an iteration, written before anything else happens, and all that resuming needs.
 * What an agent does while it works is a Notice, not an Event.
 */
export type Event =
  /** First line of every journal. `options` are the settings in force, which a resume takes up again. */
  | {
      readonly kind: 'run.started'
      readonly runId: string
      readonly workflow: Workflow
      readonly project: string
      readonly version: string
      readonly options: JsonObject
      /** By story id: where an earlier run began with stories that are not done yet, for the range of their review. */
      readonly bases: Readonly<Record<string, string>>
      /** Files that checks of an earlier run have made and that are still there. */
      readonly artefacts: readonly string[]
    }
  /** A run without `run.stopped`, or an interrupted one, goes on; `flags` are those given now. */
  | { readonly kind: 'run.resumed'; readonly flags: JsonObject }
  /** What agents and checks of this run will run inside, and why nothing stronger. */
  | {
      readonly kind: 'isolation.chosen'
      readonly backend: string
      readonly boxed: boolean
      readonly description: string
      readonly passedOver: readonly { readonly backend: string; readonly why: string }[]
    }
  /** Before the agent starts: the snapshot that this start will be judged against. */
  | {
      readonly kind: 'iteration.started'
      readonly iteration: number
      readonly mode: IterationMode | null
      readonly story: string | null
      readonly agent: string
      readonly model: string | null
      readonly sessionId: string
      readonly base: string
      readonly branch: string
      /** The snapshot as a tree in the referee's repository. */
      readonly tree: string
    }
  | {
      readonly kind: 'agent.finished'
      readonly iteration: number
      readonly outcome: AgentOutcome
      readonly exitCode: number | null
      readonly signal: string | null
      readonly durationMs: number
      /** null where the agent reports none: not the same as 0. */
      readonly costUsd: number | null
      readonly tokens: Tokens | null
      /** What went wrong, in one line; null if nothing did. */
      readonly message: string | null
      /** Whether it gave the completion tag. Never more than a hint: completion is verified. */
      readonly promised: boolean
      /** No agent is started before this time: a usage limit resets, or an overloaded service is given time. */
      readonly retryAt: string | null
    }
  | {
      readonly kind: 'check.finished'
      readonly iteration: number
      readonly command: string
      readonly exitCode: number | null
      readonly durationMs: number
      readonly log: string
      /** Whether an approval or the completion hangs on it; else it only informs the reviewer. */
      readonly decides: boolean
      /** Its program is not there: nothing that an agent of this project could fix. */
      readonly cannotStart: boolean
    }
  | {
      readonly kind: 'verdict.given'
      readonly iteration: number
      readonly ok: boolean
      readonly violations: readonly Violation[]
      /** How many there were beside those that are named; without it none. */
      readonly moreViolations?: number
      readonly unfinished: readonly Unfinished[]
      /** What became of other branches than the loop's, in words; they are left as they are. Without it nothing. */
      readonly branches?: readonly string[]
      /** What was judged: HEAD (null: no commit that can be had) and all files, as a tree in the referee's repository. */
      readonly head: string | null
      readonly tree: string
    }
  | {
      readonly kind: 'state.repaired'
      readonly iteration: number
      readonly what: readonly string[]
      readonly commit: string | null
      /** All files as they are now. */
      readonly tree: string
    }
  /**
   * What became of the stories in an iteration (or of a completion that did not hold), once for each: the accepted move of
   * the agent, and the runner's own, which are written into the list after this is recorded.
   */
  | {
      readonly kind: 'stories.moved'
      readonly iteration: number
      readonly moves: readonly MovedStory[]
      /** Files that only checks create, as they were found after them: not counted as uncommitted. */
      readonly artefacts: readonly string[]
      /** What the checks changed that nobody may change; it has been put back. */
      readonly violations: readonly Violation[]
      /** How many there were beside those that are named; without it none. */
      readonly moreViolations?: number
    }
  /** Everything looks done: from here on all checks run once more, on this commit. */
  | {
      readonly kind: 'completion.started'
      readonly iteration: number
      readonly commit: string
      /** All files, as a tree in the referee's repository. */
      readonly tree: string
    }
  | { readonly kind: 'wait.started'; readonly reason: string; readonly until: string | null }
  | { readonly kind: 'wait.ended'; readonly reason: string; readonly until: string | null }
  | {
      readonly kind: 'iteration.finished'
      readonly iteration: number
      readonly changed: boolean
      readonly commits: readonly string[]
      /** Why this iteration counts as an error, or null. */
      readonly error: string | null
      /** false: a start that came to nothing (usage limit, empty answer) and is tried again under the same number. */
      readonly counted: boolean
    }
  | {
      readonly kind: 'run.stopped'
      readonly reason: StopReason
      readonly exitCode: number
      readonly totals: Totals
      /** Why, in more words than the reason has: blocked stories, a failing check, concerns. Older journals have none. */
      readonly details?: readonly string[]
    }

export type Workflow = 'stories' | 'task' | 'branches' | 'supervise'

export type StoryMove =
  | 'needs_review'
  | 'changes_requested'
  | 'approved'
  | 'approved_at_cap'
  | 'passed_unreviewed'
  /** An unreviewed pass whose checks failed. */
  | 'reopened'

export interface MovedStory {
  readonly story: string
  readonly to: StoryMove
  readonly by: 'agent' | 'runner'
}

/** An event as it stands in the journal. */
export type Recorded = Event & { readonly seq: number; readonly at: string }
