import type { CheckResult } from '../model/check-result.ts'
import type { IterationMode, Story, TaskList } from '../model/story.ts'
import type { Unfinished, Violation } from '../model/violation.ts'

/** Everything that a prompt is made from. All of it is the runner's own data; what agents wrote in it is marked as such. */
export interface PromptInput {
  /** prompt.md as it was when the run started. Any text works, also none. */
  readonly template: string
  readonly iteration: number
  readonly maxIterations: number
  readonly mode: IterationMode
  readonly skipReview: boolean
  readonly reviewCap: number
  readonly completionTag: string
  /** The list of the snapshot. */
  readonly list: TaskList
  readonly story: Story
  /** Relative to the project: where prd.md, tasks.json, progress.txt are. */
  readonly ralphDir: string
  /** The checks that the runner will run: those of the story, then those of the list and of the user. */
  readonly storyChecks: readonly string[]
  readonly checks: readonly string[]
  /** 128 random bits in hexadecimal, new for each prompt. */
  readonly nonce: string
  readonly feedback: Feedback | null
  /** In review iterations, and only there. */
  readonly review: ReviewMaterial | null
  readonly includeIterationCount: boolean
  /** How much of one piece of foreign text may stand in the prompt: a message, a note, the output of a check. */
  readonly maxTextChars: number
  /** The same for what a review is about: each diff, and the requirements. Default 60,000. */
  readonly maxDocumentChars?: number
}

/** What the iteration before left to say. */
export interface Feedback {
  readonly iteration: number
  /** Why it counted as an error, if it did. */
  readonly error: string | null
  readonly violations: readonly Violation[]
  readonly unfinished: readonly Unfinished[]
  /** Checks that failed after it. `path` is where the agent can read the output, relative to the project. */
  readonly failedChecks: readonly (CheckResult & { readonly path: string | null })[]
  /** It claimed completion while stories were open. */
  readonly falsePromise: boolean
}

/** What a reviewer judges by, from the referee's repository. */
export interface ReviewMaterial {
  /** null: this story was worked on before this run, nobody knows from where. */
  readonly base: string | null
  readonly commit: string
  /** Every path that differs between base and commit: what a shortened diff does not show has its name here. */
  readonly changedPaths: readonly string[]
  readonly diff: ForeignText
  /** Changes of what the checks stand on: scripts, configurations, tests, ignore files. Shown first. */
  readonly surface: { readonly paths: readonly string[]; readonly diff: ForeignText }
  readonly changedTests: readonly string[]
  readonly deletedTests: readonly string[]
  /** CLAUDE.md, AGENTS.md and rules that changed: the author's instructions to later authors. */
  readonly changedInstructions: readonly string[]
  /** Ignored now and not before; on disk and in no tree; made by checks only. */
  readonly newlyIgnored: readonly string[]
  readonly leftOut: readonly string[]
  readonly artefacts: readonly string[]
  /** Installed and in no commit: other than when the run started. */
  readonly changedPrograms: readonly string[]
  /** Results of the checks after the submission. */
  readonly checks: readonly CheckResult[]
  /** prd.md as it was when the run started. */
  readonly requirements: string
  /** This review reaches the cap. */
  readonly isLast: boolean
}

/** Text that was cut before it came here, with the number of bytes that are missing. */
export interface ForeignText {
  readonly text: string
  readonly omittedBytes: number
}
