import type { Base, RepositoryView } from '../git/observe.ts'
import type { Observation } from '../model/observation.ts'
import type { TaskList } from '../model/story.ts'

/** What a look at the project gave: the repository, and what the rules are asked about. */
export interface Seen {
  readonly view: RepositoryView
  readonly now: Observation
}

/** The legal state before the agent of an iteration. */
export interface Before {
  readonly list: TaskList
  readonly base: Base
  readonly packageJson: string | null
}

/**
 * What one process knows of the project. All of it can be had again from the journal, the referee's repository and the
 * disk; it is here so that nothing is looked at twice.
 */
export interface StoriesMemory {
  /** The list as it was last judged: what the next agent starts from. */
  list: TaskList
  /** The commit and tree that the next agent is judged against. */
  base: Base
  branch: string
  /** The same of the iteration that is open: what it is judged against. */
  before: Before
  /** The last look, while nothing has happened since. */
  seen: Seen | null
  /** Git locks since then are of a killed process of this run; removed with the first look. */
  locksSince: number | null
  /** The text of `.ralph-active` as it was written for the open iteration; null: not by this process. */
  marker: string | null
  /** Files that were tracked when the run started. */
  tracked: ReadonlySet<string>
  /** By story: what its last author left on the disk and no tree can hold, for its reviewer. What another process saw is lost. */
  readonly leftOut: Map<string, readonly string[]>
  /** What was recorded of other branches. */
  readonly movedBranches: Set<string>
  /** Read once, when no agent has touched them. */
  start: { readonly template: string; readonly requirements: string } | null
}
