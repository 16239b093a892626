import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { TreeEnd } from '../process/end-tree.ts'
import type { SearchPlaces } from '../process/find-program.ts'
import type { ChildEnd } from '../process/run-child.ts'
import type { LineConsumer } from '../process/read-lines.ts'

export type BackendName = 'sbx' | 'docker-sandbox' | 'os' | 'none'

/** Where a run is to happen, as far as a box must know it. All paths are real ones; nothing was made yet. */
export interface Site {
  readonly project: string
  /** The git directories of the project, where they lie outside of `.git` too. */
  readonly gitDirs: readonly string[]
  /** Everything that Ralph remembers, of all projects: no agent has any business there. */
  readonly state: string
  /** What in it is for the agent: `given` only to read, `homes` to write. They may not exist before `open`. */
  readonly given: string
  readonly homes: string
  /** This installation, where it has hooks: the agent reads it and never writes it. */
  readonly pluginDir: string | null
  /** Where this installation has its programs. */
  readonly scripts: string
  /** The user's own directories of all agents that are known: hidden from every agent, but for `Opening.readable`. */
  readonly agentDirs: readonly string[]
  /** The user's. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly places: SearchPlaces
  /** Keys of the user's, from `secretValues`: they reach no log, line or prompt. */
  readonly secrets: readonly string[]
}

/** One kind of box. */
export interface Backend {
  readonly name: BackendName
  /** Tries whether it works here, and changes nothing. */
  probe(site: Site): Promise<Result<Isolation, Unavailable>>
  /** Removes every box of this project, and names them; without it there is nothing that outlives a run. */
  remove?(site: Site): Promise<Result<readonly string[], Failure>>
}

/** Why a box cannot be had, and what helps: a sentence each. */
export interface Unavailable {
  readonly why: string
  readonly fix: string
}

/** What a run's agents and checks will run inside: it works here, and nothing was made yet. */
export interface Isolation {
  readonly name: BackendName
  /** Whether it contains a hostile process; direct mode does not. */
  readonly boxed: boolean
  /** Whether agents and tools are those of this machine, by absolute paths, or the box's own, by name. */
  readonly programs: 'host' | 'box'
  /** One line for people: what this is and what it promises. */
  readonly description: string
  /** Makes it ready for a run. */
  open(opening: Opening): Promise<Result<Box, Failure>>
  /** Everything of a run that is still there, from any process: for a resume. */
  endAll(runId: string): Promise<TreeEnd>
}

export interface Opening {
  readonly runId: string
  /** The kinds of agents that will be started, by name; the first one is the author. */
  readonly agents: readonly [string, ...string[]]
  /** The only hosts that may be reached; null: any. */
  readonly hosts: readonly string[] | null
  /** What those agents must read although it lies in something hidden: the files they log in with, their programs. */
  readonly readable: readonly string[]
  /** For people: something takes long, something is not as it should be. */
  remark(text: string): void
}

/** An open box. When `exec` has returned, nothing that it started is left. */
export interface Box {
  exec(request: ExecRequest): Promise<Result<ChildEnd, Failure>>
  /** Writes a file of the project or of `given` so that the agent sees it: the host's own write may not be enough. */
  writeFile(path: string, bytes: Uint8Array): Promise<Result<void, Failure>>
  /** The host has changed files of the project since the last `exec`: the next one must see them. */
  refresh(): Promise<Result<void, Failure>>
  /** A box in which no earlier agent has been. */
  renew(): Promise<Result<void, Failure>>
  /** Ends what only this run needs. The box itself may stay for the next one. */
  dispose(): Promise<void>
}

/** An agent or a check, as the loop wants it run. */
export interface ExecRequest {
  /** The kind of agent; checks have none, and run where the last agent ran. */
  readonly agent?: string
  /** The program (see `Isolation.programs`), then its arguments. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment; only the run's id is added. */
  readonly env: Readonly<Record<string, string>>
  /** What it starts is found by this, so of one run only one child may run at a time. */
  readonly runId: string
  /** It puts its own commands into a sandbox, which cannot be made everywhere. */
  readonly makesSandbox?: boolean
  /** Without it stdin is /dev/null. */
  readonly stdin?: string
  readonly timeoutMs?: number
  /** How long it may print nothing while no tool call is open. */
  readonly silenceMs?: number
  readonly signal?: AbortSignal
  readonly onLine: LineConsumer
  /** Where the raw bytes go, appended. */
  readonly stdoutFile?: string
  readonly stderrFile?: string
  /** For each of the two; default 1 GiB. */
  readonly maxLogBytes?: number
}
