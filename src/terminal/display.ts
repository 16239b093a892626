import type { Clock } from '../base/clock.ts'
import type { Recorded } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { RunState } from '../model/run-state.ts'

/** How far the stories are, for the status line and the summary. */
export interface StoryView {
  readonly id: string
  readonly title: string
  readonly state: 'done' | 'needs_review' | 'changes_requested' | 'blocked' | 'open'
  readonly reviewCount: number
  readonly feedback: string
}

/** Facts about the run that are in no event. */
export interface RunView {
  readonly maxIterations: number
  /** The list as it was last judged. */
  readonly stories: readonly StoryView[]
}

/** What a person wants to know in the morning. */
export interface Summary {
  readonly state: RunState
  readonly view: RunView
  /** What keeps this from being clean, one sentence each. */
  readonly concerns: readonly string[]
  /** Why it stopped, in more words than the reason has: blocked stories, a failing check. */
  readonly details: readonly string[]
  readonly commits: number
  /** Where they are; missing if no iteration has begun. */
  readonly branch?: string
  readonly durationMs: number
  /** What the referee caught, newest last. */
  readonly caught: readonly string[]
  /** What of the things that checks stand on, or that instruct agents, is other than when the run started. */
  readonly surface: readonly string[]
  /** What became of other branches than the loop's. */
  readonly branches: readonly string[]
  /** The one command to type next, if there is one. */
  readonly nextCommand: string | null
  readonly journal: string
}

/** Shows a run. It reads and never decides. All text may be anybody's: it is made visible here. */
export interface Display {
  /** `state` already holds the event. */
  event(event: Recorded, state: RunState, view: RunView): void
  notice(notice: Notice): void
  /** A line (or more) of the runner's own before or between iterations; not shown when quiet or as JSON. */
  remark(text: string): void
  /** Ends the status line; nothing as JSON. */
  summary(summary: Summary): void
  /** Leaves the terminal as it was found. Before anything else writes to it, this has to be called. */
  close(): void
}

/** What a display writes to; the real one is made from process.stdout by cli/. */
export interface Screen {
  write(text: string): void
  readonly isTerminal: boolean
  /** Asked each time: people resize. 0 if it does not know. */
  columns(): number
  /** A timer that repeats until the returned function is called; for the seconds in the status line. */
  every(ms: number, tick: () => void): () => void
}

export interface DisplayOptions {
  /** `pretty` without a terminal is `plain`. */
  readonly format: 'pretty' | 'plain' | 'json'
  /** Only `pretty` has any. */
  readonly color: boolean
  /** false: marks in ASCII. */
  readonly emoji: boolean
  /** Only what was caught, the stop and the summary. */
  readonly quiet: boolean
  /** Also what is unfinished, the todo list and all output of tools; as JSON also the notices. */
  readonly verbose: boolean
  /** false: nothing of what the agent says and does but its remarks about its own state. */
  readonly streamAgentOutput: boolean
  /** Agents name files by their whole path; in the project the rest of it is enough. */
  readonly project?: string
  readonly clock: Clock
}
