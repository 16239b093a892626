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
  readonly durationMs: number
  /** What the referee caught, newest last. */
  readonly caught: readonly string[]
  /** The one command to type next. */
  readonly nextCommand: string
  readonly journal: string
}

/** Shows a run. It reads and never decides. */
export interface Display {
  event(event: Recorded, state: RunState, view: RunView): void
  notice(notice: Notice): void
  /** One line of the runner's own before or between iterations. */
  remark(text: string): void
  summary(summary: Summary): void
  /** Leaves the terminal as it was found. */
  close(): void
}

/** What a display writes to; the real one is made from process.stdout by cli/. */
export interface Screen {
  write(text: string): void
  readonly isTerminal: boolean
  /** Asked each time: people resize. */
  columns(): number
  /** A timer that repeats until the returned function is called; for the seconds in the status line. */
  every(ms: number, tick: () => void): () => void
}

export interface DisplayOptions {
  readonly format: 'pretty' | 'plain' | 'json'
  readonly color: boolean
  readonly emoji: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly streamAgentOutput: boolean
  readonly clock: { now(): number; elapsed(): number }
}
