/** The rules of the referee, by name; the journal and the summary speak of them. */
export type RuleName =
  | 'tasks-unreadable'
  | 'schema'
  | 'frozen-field'
  | 'notes-shortened'
  | 'illegal-transition'
  | 'too-many-moves'
  | 'story-deleted'
  | 'duplicate-story'
  | 'new-story-not-clean'
  | 'split'
  | 'blocked'
  | 'dependencies'
  | 'verify-commands'
  | 'people-only-field'
  | 'approval-void'
  | 'invariant'
  | 'people-only-file'
  | 'steering-file'
  | 'protected-file'
  | 'protected-script'
  | 'review-changed-files'
  | 'marker'
  | 'nested-repository'
  | 'branch'
  | 'history'
  | 'git-directory'
  /** Code that ran as a check changed the list, the history or what people own. */
  | 'changed-by-checks'

/** Something that must not stay: the referee puts it back. */
export interface Violation {
  readonly rule: RuleName
  /** The story it is about, if it is about one. */
  readonly story: string | null
  /** One line that names the field or path and what to change. */
  readonly message: string
}

/** Something that is missing: told to the agent, never put back. */
export interface Unfinished {
  readonly what: 'no-verdict' | 'no-feedback' | 'feedback-not-cleared' | 'no-notes' | 'not-committed'
  readonly story: string | null
  readonly message: string
}
