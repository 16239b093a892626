import type { ReviewStatus, TaskList } from './story.ts'

/**
 * What the rules compare of one story. The runner knows all of it; an older or smaller marker knows less, and what is
 * absent here is not compared. Absent fields of the story stand here as `''` or `[]`.
 */
export interface StorySnapshot {
  readonly passes: boolean
  readonly reviewStatus: ReviewStatus
  readonly reviewCount: number
  readonly reviewFeedback?: string
  readonly title?: string
  readonly description?: string
  readonly acceptanceCriteria?: readonly string[]
  readonly notes?: string
  readonly dependsOn?: readonly string[]
  readonly splitInto?: readonly string[]
  readonly blocked?: string
  readonly mayChange?: readonly string[]
  readonly verifyCommands?: readonly string[]
}

/** The legal state before an agent started: what it is judged against. */
export interface Snapshot {
  /** By story id, in the order of the file. */
  readonly stories: ReadonlyMap<string, StorySnapshot>
  /** The fields of the list itself; empty where a marker does not know them. */
  readonly top: {
    readonly project?: string
    readonly branchName?: string
    readonly protectedPaths?: readonly string[]
    readonly verifyCommands?: readonly string[]
  }
  /** The whole list, from which repairs are made; only the runner has it. */
  readonly list: TaskList | null
  /** The branch that HEAD was on. */
  readonly branch?: string
}
