import { isAbsolute } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { ByteTail, stderrTailBytes } from './byte-tail.ts'
import { ChildLimits, type EndCause, type LimitSpec } from './child-limits.ts'
import { containedStatus, isWrapped, type ExitStatus } from './containment.ts'
import { defaultGrace, endTree, type TreeEnd, type TreeGrace } from './end-tree.ts'
import { killGroup } from './kill-group.ts'
import { rememberLive } from './live-children.ts'
import { defaultMaxLogBytes, OutputLog, type StreamCount } from './output-log.ts'
import { readLines, type LineConsumer } from './read-lines.ts'
import { Redactor } from './redactor.ts'
import { startChild, type StartSpec } from './start-child.ts'

/** A long child: an agent, a check. No shell of ours takes part in it. */
export interface ChildSpec extends StartSpec, LimitSpec {
  readonly onLine: LineConsumer
  readonly maxLineBytes?: number
  /** Where the raw bytes go, appended, mode 0600. */
  readonly stdoutFile?: string
  readonly stderrFile?: string
  /** For each of the two; default 1 GiB. */
  readonly maxLogBytes?: number
  /** Keys that must be in no line, file or tail of it. */
  readonly secrets?: readonly string[]
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
  const started = await startChild(spec)
  if (!started.ok) return started
  const startedAt = performance.now()
  const { pid, identity, stdout, stderr } = started.value
  const { runId, containment } = spec
  const isWrapper = isWrapped(containment)
  const end = async (grace: TreeGrace): Promise<TreeEnd> => endTree({ root: await identity, isWrapper, runId }, grace)
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
      // Where the table of processes cannot be read at all, the child is not in it.
      else killGroup(started.value.process)
      return tree
    })
  }
  const exited = new Promise<ExitStatus>((resolve) => {
    giveUp = () => resolve({ exitCode: null, signal: null })
    started.value.process.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  const limits = new ChildLimits(spec, endBecause)

  const stderrTail = new ByteTail(stderrTailBytes)
  const secrets = spec.secrets ?? []
  const stderrRedactor = new Redactor(secrets)
  const keepErrors = (clean: Buffer): void => {
    stderrLog.write(clean)
    stderrTail.push(clean)
  }
  stderr.on('data', (chunk: Buffer) => {
    limits.heard()
    keepErrors(stderrRedactor.push(chunk))
  })
  // A stream that breaks has ended, for us.
  stderr.on('error', () => undefined)
  const stderrClosed = new Promise<void>((resolve) => stderr.once('close', resolve))

  let phase: 'running' | 'over' | 'abandoned' = 'running'
  let consumerError: { readonly thrown: unknown } | undefined
  const { onLine, maxLineBytes } = spec
  const reading = readLines({
    stream: stdout,
    log: stdoutLog,
    redactor: new Redactor(secrets),
    limits,
    onLine,
    maxLineBytes,
    phase: () => phase,
  }).catch((thrown: unknown) => {
    consumerError = { thrown }
    stdout.destroy()
    endBecause('aborted')
  })

  const status = await exited
  const durationMs = performance.now() - startedAt
  phase = 'over'
  cause ??= 'exited'
  limits.stop()
  // A namespace that ended by itself is empty: the kernel lets its first process go last.
  const isEmpty = ending === undefined && isWrapper && status.signal === null
  const tree = isEmpty ? nothingLeft : await (ending ?? end(grace))
  const mayWait = cause === 'exited' ? () => limits.isConsumerBusy() : () => false
  await drain(Promise.all([reading, stderrClosed]), mayWait)
  phase = 'abandoned'
  stdout.destroy()
  stderr.destroy()
  keepErrors(stderrRedactor.end())
  forget()
  if (consumerError !== undefined) throw consumerError.thrown
  return ok({
    cause,
    ...containedStatus(containment, status),
    durationMs,
    stdout: stdoutLog.close(),
    stderr: stderrLog.close(),
    stderrTail: stderrTail.text(),
    tree,
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
