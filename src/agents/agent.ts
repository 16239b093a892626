import type { AgentOutcome, Tokens } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { IterationMode } from '../model/story.ts'

/** What one start of an agent is asked for. */
export interface AgentRequest {
  readonly prompt: string
  readonly mode: IterationMode | null
  readonly model: string | null
  /** A UUID, new for each start. */
  readonly sessionId: string
  /** Extra arguments of the user's, last on the command line. */
  readonly extraArgs: readonly string[]
  /** Whether a box is around it: then it needs no sandbox of its own. */
  readonly boxed: boolean
  /** Directories outside of what its own sandbox lets it write, and that it needs: where git keeps the history. */
  readonly writableDirs: readonly string[]
  /** What is left of the budget, for agents that can keep it themselves. */
  readonly maxCostUsd: number | null
  /** This installation as a plugin, where it has hooks; null where it has none. */
  readonly pluginDir: string | null
  /** A file of the runner's with the settings that the agent is to use instead of the project's and the user's. */
  readonly settingsFile: string | null
  /** A file of the runner's with the project's instructions (CLAUDE.md …) that this agent gets. */
  readonly instructionsFile: string | null
}

/** What the settings of an agent are made from, once a run. */
export interface SettingsRequest {
  readonly pluginDir: string | null
  readonly projectDir: string
  /** The user's own settings file for this agent as it was when the run started: it may hold the way to log in. */
  readonly userSettings: string | null
  /** Whether it runs on another machine: what settings name of this one is not there. */
  readonly elsewhere?: boolean
}

/** Where an agent keeps what belongs to the user. */
export interface UserConfig {
  /** The variable that names another directory; null if there is none. */
  readonly variable: string | null
  /** Relative to the user's home, where the variable is not set. */
  readonly directory: string
  /** The settings in it, for `SettingsRequest.userSettings`; null if nothing of them is needed. */
  readonly settingsFile: string | null
}

/**
 * A configuration directory of the runner's that an agent gets in place of the user's, new for each start: nothing in it is
 * from an earlier agent.
 */
export interface AgentHome {
  /** The variable that names it to the agent. */
  readonly variable: string
  /** What is in it, by path. */
  readonly files: Readonly<Record<string, string>>
  /** The name under which it reads the instructions of `instructionsFile` there; null if it does not. */
  readonly instructions: string | null
  /** Files of the user's own directory that it logs in with: linked where they are, so that a renewed key is not lost. */
  readonly credentials: readonly string[]
}

/** What an agent talks to. */
export interface AgentNetwork {
  /** Names of hosts; `*.` in front stands for every name below. */
  readonly hosts: readonly string[]
  /** Variables with an address in them that is used instead, or as well. */
  readonly variables: readonly string[]
}

/** What shows without asking anybody that somebody has logged in. One of all of them is enough. */
export interface Login {
  readonly variables: readonly string[]
  /** In its configuration directory, or with `~/` in the user's home. */
  readonly files: readonly string[]
}

/** A file that the runner writes where no agent can change it. */
export interface AgentSettings {
  readonly fileName: string
  readonly text: string
}

export interface AgentCommand {
  /** Without the program itself. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
}

/** How the process of an agent ended. */
export interface AgentExit {
  readonly cause: 'exited' | 'timeout' | 'silent' | 'aborted'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stderrTail: string
  /** When it ended (ms since the epoch): a usage limit may name only the time of day at which it resets. */
  readonly endedAt: number
}

/** What one start of an agent came to. */
export interface AgentReport {
  /** `empty` is decided here as far as the stream goes; the loop takes it back if the tree has changed. */
  readonly outcome: AgentOutcome
  /** One line for people on what went wrong, not yet made visible; null if nothing did. */
  readonly message: string | null
  /** What helps, where the agent's file knows it ("run `claude` once and log in"). */
  readonly fix: string | null
  readonly costUsd: number | null
  readonly tokens: Tokens | null
  /** When a usage limit resets (ms since the epoch); null if it did not say. */
  readonly resetsAt: number | null
  /** Contents of all `<promise>` and of all `<response>` tags in what the assistant wrote, in order. */
  readonly promises: readonly string[]
  readonly responses: readonly string[]
}

/** Reads one run of an agent, line by line. */
export interface AgentReader {
  /** A whole line of stdout without its line feed. */
  line(bytes: Buffer): readonly Notice[]
  /** Whether a tool call is open, so that silence means nothing. */
  isToolOpen(): boolean
  /** Something in the stream means that this run must not go on (our plugin was not loaded): why, or null. */
  mustEnd(): string | null
  end(exit: AgentExit): AgentReport
}

/** One kind of agent. Pure: command out, lines in. */
export interface Agent {
  readonly name: string
  /** The program on PATH, or its path; null: this Ralph itself (node and ralph.mjs). */
  readonly program: string | null
  /** One line that says how to get it. */
  readonly install: string
  /** Whether it tells what a run cost; without it `--max-cost` cannot be kept. */
  readonly reportsCost: boolean
  /** Whether it tells how many tokens it used. */
  readonly reportsTokens: boolean
  /** Whether its stream shows what it does: then whoever gave an empty answer has not done what changed meanwhile. */
  readonly showsWork: boolean
  /** Whether it will not run as root without IS_SANDBOX=1. */
  readonly refusesRoot: boolean
  /**
   * What stands between it and this machine where no box does: our hooks, a sandbox of its own, or only the user, who chose
   * the program; null if nothing does.
   */
  readonly directly: 'guard' | 'sandbox' | 'user' | null
  /** Whether we know it only from its documents. */
  readonly experimental: boolean
  /** The arguments that make it print its version; null if it has none. */
  readonly versionArgs: readonly string[] | null
  /** Why this version of it does not work here, as a phrase; null if nothing is known against it. `0.0.0` is older than all. */
  badVersion(version: string): string | null
  /** null: nothing that we know of. */
  readonly userConfig: UserConfig | null
  /** null: it needs none, or nobody can tell. */
  readonly login: Login | null
  /** What must be reached from a box for it to work. */
  readonly network: AgentNetwork
  /**
   * How it gets the project's instructions (CLAUDE.md …): by `instructionsFile` or its home, at the head of its prompt, or it
   * reads what it knows of in the work tree and cannot be kept from it.
   */
  readonly instructions: 'file' | 'prompt' | 'own'
  /** What `settingsFile` is to hold; null if this agent takes none. */
  settings(request: SettingsRequest): AgentSettings | null
  /** null: it is started with the user's own. */
  home(request: SettingsRequest): AgentHome | null
  command(request: AgentRequest): AgentCommand
  /** `request` because the stream may have to prove that it was heeded (the plugin of ours is loaded). */
  read(request: AgentRequest): AgentReader
}
