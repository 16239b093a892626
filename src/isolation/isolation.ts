import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { TreeEnd } from '../process/end-tree.ts'
import type { ChildEnd } from '../process/run-child.ts'
import type { LineConsumer } from '../process/read-lines.ts'

/** An agent or a check, as the loop wants it run. */
export interface ExecRequest {
  /** The program by its absolute path, then its arguments. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment; only the run's id is added. */
  readonly env: Readonly<Record<string, string>>
  /** What it starts is found by this, so of one run only one child may run at a time. */
  readonly runId: string
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

/** What agents and checks run inside. When `exec` has returned, nothing that it started is left. */
export interface Isolation {
  readonly name: 'none' | 'os' | 'docker-sandbox' | 'sbx'
  /** Whether it contains a hostile process; direct mode does not. */
  readonly boxed: boolean
  /** One line for people: what this is and what it promises. */
  readonly description: string
  exec(request: ExecRequest): Promise<Result<ChildEnd, Failure>>
  /** Everything of a run that is still there, from any process: for a resume. */
  endAll(runId: string): Promise<TreeEnd>
}
