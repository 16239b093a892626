/** What decides how a run goes, complete: settings, environment and flags are already merged. Plain JSON, for the journal. */
export interface RunOptions {
  /** Checks of `--check` and the settings; in stories they join the list's own verifyCommands. */
  readonly checks: readonly CheckOption[]
  readonly maxIterations: number
  readonly maxCostUsd: number | null
  readonly maxTokens: number | null
  readonly maxTimeMs: number | null
  readonly iterationTimeoutMs: number
  readonly silenceTimeoutMs: number
  readonly checkTimeoutMs: number
  readonly idleThreshold: number
  readonly maxConsecutiveErrors: number
  readonly maxWaitMs: number
  readonly completionTag: string
  readonly completionResponse: string
  readonly outputTruncateChars: number
  readonly includeIterationCountInPrompt: boolean
  /** Who works, by mode; each complete. */
  readonly agents: {
    readonly implement: AgentChoice
    readonly review: AgentChoice
    readonly reviewFix: AgentChoice
  }
  readonly skipReview: boolean
  readonly reviewCap: number
  readonly atReviewCap: 'approve' | 'stop'
  /** Only this story; null for all. */
  readonly story: string | null
  readonly isolation: IsolationChoice
  /** Fail instead of falling back to direct mode. */
  readonly requireSandbox: boolean
  /** What may be reached from a box: the agent's own hosts, also package registries and the project's git host, or anything. */
  readonly network: 'agent' | 'registries' | 'open'
  /** More hosts that may be. */
  readonly allowHosts: readonly string[]
  /** When an agent gets a box in which no earlier one has been. */
  readonly freshBox: 'review' | 'always' | 'never'
  /** Relative to the project, with `/`. */
  readonly ralphDir: string
  readonly noBranch: boolean
  readonly allowDirty: boolean
  readonly protectedPaths: readonly string[]
  readonly env: { readonly pass: readonly string[]; readonly drop: readonly string[] }
  /** Rules of the guard that do not hold in this project. */
  readonly guardAllow: readonly string[]
  readonly strict: boolean
}

/** How a run shows itself; not journalled, each start has its own. */
export interface ShowOptions {
  readonly output: 'pretty' | 'plain' | 'json'
  readonly quiet: boolean
  readonly verbose: boolean
  readonly streamAgentOutput: boolean
  readonly emoji: boolean
}

/** A check of the settings or of `--check`. */
export interface CheckOption {
  readonly command: string
  /** Where its output goes in the next prompt: only the task workflow asks. */
  readonly failAction: 'append' | 'prepend' | 'replace' | null
  /** What the agent is told when it fails. */
  readonly hint: string | null
  /** Instead of `checkTimeoutMs`. */
  readonly timeoutMs: number | null
}

/** Who works in one mode. */
export interface AgentChoice {
  readonly name: string
  readonly model: string | null
  /** For `custom` the program and its arguments; for others a program in place of theirs on PATH, or null. */
  readonly command: readonly string[] | null
  /** More arguments of the user's, last on the command line. */
  readonly args: readonly string[]
  /** For `custom`: how its stdout is read. */
  readonly format: 'text' | 'claude' | 'codex'
}

export type IsolationChoice = 'auto' | 'sbx' | 'docker-sandbox' | 'os' | 'none'
