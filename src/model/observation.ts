/** How one path differs between two trees. */
export interface PathChange {
  /** Relative to the project, with `/`, exactly as it is on disk. */
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** What is there now; a nested repository is one that git would take for a submodule. */
  readonly now: 'file' | 'executable' | 'link' | 'nested-repository' | 'nothing'
}

/** A file that was looked at carefully: its text, or why there is none. */
export type SeenFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** A link, a FIFO, a directory, too large: `why` is one phrase. */
  | { readonly kind: 'unreadable'; readonly why: string }

/**
 * What the referee saw after an agent. The runner knows all of it; the Stop hook collects what it can.
 * Absent means "not looked at", and then no rule speaks of it.
 */
export interface Observation {
  readonly tasks: SeenFile
  /** Every path that differs from the snapshot, committed or not. */
  readonly changes?: readonly PathChange[]
  /** The project's package.json, for the scripts that the checks call. */
  readonly packageJson?: SeenFile
  readonly marker?: 'as-written' | 'changed' | 'missing'
  /** The branch that HEAD is on; null when detached or unborn. */
  readonly branch?: string | null
  /** Whether the commit of the snapshot is still an ancestor of (or equal to) HEAD. */
  readonly baseIsAncestor?: boolean
  /** Repositories inside the project that the snapshot has not; a submodule that only moved on is a change like others. */
  readonly nestedRepositories?: readonly string[]
  /** Paths that are neither committed nor ignored. */
  readonly uncommitted?: readonly string[]
  /** Files of the loop and of people that the commit of the snapshot has, and that are only on disk now: ignored. */
  readonly dropped?: readonly string[]
  /** What the inspection of `.git` found, one line each, but for what tools install in good faith. */
  readonly gitDirectory?: readonly string[]
}
