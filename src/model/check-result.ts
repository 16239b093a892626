/** One check as the runner ran it. */
export interface CheckResult {
  readonly command: string
  /** null: it did not end by itself (time-out, signal) or could not be started. */
  readonly exitCode: number | null
  readonly durationMs: number
  /** The whole output, in the state directory. */
  readonly log: string
  /** Beginning and end of the output, cut for prompts and feedback; what was left out is named. */
  readonly output: string
  /** Why there is no exit code, in a phrase; null if there is one. */
  readonly trouble: string | null
  /** The shell could not find or start the command (126, 127): no agent can fix that. */
  readonly cannotStart: boolean
}
