import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { isAbsolute } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { ByteTail, stderrTailBytes } from './byte-tail.ts'
import { ChildLimits, type EndCause, type LimitSpec } from './child-limits.ts'
import { containedArgv, containedStatus, type Containment, type ExitStatus } from './containment.ts'
import { defaultGrace, endTree, runIdVariable, type TreeEnd, type TreeGrace } from './end-tree.ts'
import { rememberLive } from './live-children.ts'
import { defaultMaxLogBytes, OutputLog, type StreamCount } from './output-log.ts'
import type { ProcessIdentity } from './process-table.ts'
import { readLines, type LineConsumer } from './read-lines.ts'
import { startFailure } from './start-failure.ts'
import { systemProcesses } from './system-processes.ts'

/** A long child: an agent, a check. No shell takes part in it. */
export interface ChildSpec extends LimitSpec {
  /** The program by its absolute path, then its arguments. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment; only the run's id is added. */
  readonly env: Readonly<Record<string, string>>
  readonly runId: string
  readonly containment: Containment
  /** Written and then closed; without it stdin is /dev/null. */
  readonly stdin?: Uint8Array | string
  readonly onLine: LineConsumer
  readonly maxLineBytes?: number
  /** Where the raw bytes go, appended, mode 0600. */
  readonly stdoutFile?: string
  readonly stderrFile?: string
  /** For each of the two; default 1 GiB. */
  readonly maxLogBytes?: number
  readonly grace?: TreeGrace
}

export interface ChildEnd extends ExitStatus {
  readonly cause: EndCause
  /** Until the child itself was over; the end of what it left behind is not counted. */
  readonly durationMs: number
  readonly stdout: StreamCount
  readonly stderr: StreamCount
  /** The last 64 KiB. */
  readonly stderrTail: string
  /** The processes that had to be ended: leftovers after an exit, the whole tree else. */
  readonly tree: TreeEnd
}

export type ChildFailure = Extract<Failure, { reason: 'cannot-start' | 'storage' }>

/** How long the pipes may stay open when all processes we know are gone: a daemon we cannot see must not hold us. */
const closeGraceMs = 2000

const nothingLeft: TreeEnd = { ended: 0, killed: 0, survivors: [] }
const nothingWritten: StreamCount = { bytes: 0, notLoggedBytes: 0, logError: null }
/** Aborted before it began. */
const neverStarted: ChildEnd = {
  cause: 'aborted',
  exitCode: null,
  signal: null,
  durationMs: 0,
  stdout: nothingWritten,
  stderr: nothingWritten,
  stderrTail: '',
  tree: nothingLeft,
}

/**
 * Runs a child to its end and ends whatever it started. In this order: exit (or a limit ends the tree), the rest of the
 * tree, the rest of the output. The tree comes before the output, because an orphan that holds the pipe would hold us.
 */
export async function runChild(spec: ChildSpec): Promise<Result<ChildEnd, ChildFailure>> {
  if (!isAbsolute(spec.argv[0])) throw new Error(`not an absolute path: ${spec.argv[0]}`)
  if (spec.signal?.aborted === true) return ok(neverStarted)
  const maxLogBytes = spec.maxLogBytes ?? defaultMaxLogBytes
  const stdoutLog = OutputLog.open(spec.stdoutFile, maxLogBytes)
  if (!stdoutLog.ok) return stdoutLog
  const stderrLog = OutputLog.open(spec.stderrFile, maxLogBytes)
  if (!stderrLog.ok) {
    stdoutLog.value.close()
    return stderrLog
  }
  try {
    return await superviseChild(spec, stdoutLog.value, stderrLog.value)
  } finally {
    stdoutLog.value.close()
    stderrLog.value.close()
  }
}

async function superviseChild(
  spec: ChildSpec,
  stdoutLog: OutputLog,
  stderrLog: OutputLog,
): Promise<Result<ChildEnd, ChildFailure>> {
  const startedAt = performance.now()
  const started = await start(spec)
  if (!started.ok) return started
  const { child, pid, root } = started.value
  const end = async (grace: TreeGrace): Promise<TreeEnd> => endTree({ root: await root, runId: spec.runId }, grace)
  const grace = spec.grace ?? defaultGrace
  const forget = rememberLive({ killNow: async () => void (await end({ ...grace, termMs: 0 })) })

  let cause: EndCause | undefined
  let ending: Promise<TreeEnd> | undefined
  let giveUp: () => void = () => undefined
  const endBecause = (why: EndCause): void => {
    cause ??= why
    ending ??= end(grace).then((tree) => {
      // A child that even KILL does not end (it hangs in the kernel) never exits.
      if (tree.survivors.some((survivor) => survivor.pid === pid)) giveUp()
      return tree
    })
  }
  const exited = new Promise<ExitStatus>((resolve) => {
    giveUp = () => resolve({ exitCode: null, signal: null })
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const limits = new ChildLimits(spec, endBecause)

  const stderrTail = new ByteTail(stderrTailBytes)
  child.stderr?.on('data', (chunk: Buffer) => {
    limits.heard()
    stderrLog.write(chunk)
    stderrTail.push(chunk)
  })
  // A child that does not read its stdin closes it; that is its right.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(spec.stdin)

  let isOver = false
  let consumerError: { readonly thrown: unknown } | undefined
  const { onLine, maxLineBytes } = spec
  const reading =
    child.stdout === null
      ? Promise.resolve()
      : readLines({ stream: child.stdout, log: stdoutLog, limits, onLine, maxLineBytes, isOver: () => isOver }).catch(
          (thrown: unknown) => {
            consumerError = { thrown }
            child.stdout?.destroy()
            endBecause('aborted')
          },
        )

  const status = await exited
  const durationMs = performance.now() - startedAt
  isOver = true
  cause ??= 'exited'
  limits.stop()
  // A namespace that ended by itself is empty: the kernel lets its first process go last.
  const isEmpty = ending === undefined && spec.containment.level === 'namespace' && status.signal === null
  const tree = isEmpty ? nothingLeft : await (ending ?? end(grace))
  await drain(Promise.all([reading, closed]), cause === 'exited' ? () => limits.isConsumerBusy() : () => false)
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.stderr?.destroy()
  forget()
  if (consumerError !== undefined) throw consumerError.thrown
  return ok({
    cause,
    ...containedStatus(spec.containment, status),
    durationMs,
    stdout: stdoutLog.close(),
    stderr: stderrLog.close(),
    stderrTail: stderrTail.text(),
    tree,
  })
}

interface Started {
  readonly child: ChildProcess
  readonly pid: number
  /** Asked for at once: as long as nobody waited for the child, it is in the system's table. */
  readonly root: Promise<ProcessIdentity | null>
}

function start(spec: ChildSpec): Promise<Result<Started, ChildFailure>> {
  return new Promise((resolve) => {
    const failed = (error: unknown): void => resolve(err(startFailure(error, { program: spec.argv[0], cwd: spec.cwd })))
    try {
      // Inside a wrapper a missing program would only be an exit code.
      accessSync(spec.argv[0], constants.X_OK)
      const [program = '', ...args] = containedArgv(spec.containment, spec.argv)
      const child = spawn(program, args, {
        cwd: spec.cwd,
        env: { ...spec.env, [runIdVariable]: spec.runId },
        stdio: [spec.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        // A session of its own: the terminal's Ctrl+C is for us alone, and nothing can be typed into our terminal.
        detached: true,
      })
      // Later errors only say that a signal was not delivered; signals are sent elsewhere.
      child.on('error', failed)
      const { pid } = child
      if (pid !== undefined) resolve(ok({ child, pid, root: systemProcesses().identify(pid) }))
    } catch (error) {
      failed(error)
    }
  })
}

/** Waits for the end of the output; time in which the consumer works does not count, so nothing it could read is lost. */
async function drain(done: Promise<unknown>, isConsumerBusy: () => boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const given = new Promise<void>((resolve) => {
    timer = setTimeout(() => (isConsumerBusy() ? timer?.refresh() : resolve()), closeGraceMs)
  })
  await Promise.race([done, given])
  clearTimeout(timer)
}
