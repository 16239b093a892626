import { closeSync, constants, openSync } from 'node:fs'
import { basename } from 'node:path'
import { formatDuration } from '../base/duration.ts'
import { err, ok, type Result } from '../base/result.ts'
import { unreachable } from '../base/unreachable.ts'
import type { CheckResult } from '../model/check-result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import { writeAll } from '../store/write-all.ts'
import { cannotStart } from './cannot-start.ts'
import { reserveLog } from './check-log.ts'
import { OutputEnds } from './output-ends.ts'
import { endBytesFor, shortenOutput } from './shorten-output.ts'

export interface RunCheckRequest {
  readonly command: string
  readonly iteration: number
  /** Absolute, outside the project, from `findShell`; in a box the box's own. */
  readonly shell: string
  /** Where it runs. */
  readonly project: string
  readonly env: Readonly<Record<string, string>>
  readonly runId: string
  /** For the logs, in the state directory. */
  readonly logDirectory: string
  readonly timeoutMs: number
  /** How much of the output goes into prompts. */
  readonly maxOutputChars: number
  readonly signal?: AbortSignal
  /** How much of the output is kept at all, but for its end. */
  readonly maxLogBytes?: number
}

/** What a check asks of the isolation; `exec` of every `Isolation` is one. */
export type CheckExec = (request: {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly runId: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly onLine: (line: { readonly bytes: Buffer }) => void
  readonly stdoutFile: string
  readonly maxLogBytes: number
}) => Promise<Result<CheckEnd, Failure>>

interface CheckEnd {
  readonly cause: 'exited' | 'timeout' | 'silent' | 'aborted'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
  readonly stdout: { readonly notLoggedBytes: number; readonly logError: string | null }
  /** Nothing of the check is in it: what the box said when it could not begin. */
  readonly stderrTail: string
}

const defaultMaxLogBytes = 64 * 1024 * 1024
/** The kernel takes 128 KiB for one argument. */
const maxCommandBytes = 120 * 1024

/** Runs one check to its end. Trouble with the check is in the result; a failure means that nothing could be run at all. */
export async function runCheck(request: RunCheckRequest, exec: CheckExec): Promise<Result<CheckResult, Failure>> {
  const { command, project, signal, maxOutputChars, maxLogBytes = defaultMaxLogBytes } = request
  const log = reserveLog(request.logDirectory, request)
  if (!log.ok) return log
  const impossible = whyImpossible(command)
  if (impossible !== null) {
    const nothing = { exitCode: null, durationMs: 0, output: '', trouble: impossible, cannotStart: true }
    return ok({ command, log: log.value, ...nothing })
  }
  const output = new OutputEnds(endBytesFor(maxOutputChars))
  const ended = await exec({
    argv: shellCommand(request.shell, command),
    cwd: project,
    env: request.env,
    runId: request.runId,
    timeoutMs: request.timeoutMs,
    ...(signal === undefined ? {} : { signal }),
    onLine: ({ bytes }) => output.line(bytes),
    stdoutFile: log.value,
    maxLogBytes,
  })
  if (!ended.ok) return err(ended.error)
  const end = ended.value
  if (end.stderrTail !== '') output.line(Buffer.from(end.stderrTail.replace(/\n$/, '')))
  if (end.stdout.logError === null) addEnd(log.value, end.stdout.notLoggedBytes, output)
  const exitCode = end.cause === 'exited' ? end.exitCode : null
  const text = shortenOutput(output.ends(), maxOutputChars)
  return ok({
    command,
    exitCode,
    durationMs: end.durationMs,
    log: log.value,
    output: text,
    trouble: exitCode === null ? troubleOf(end, request.timeoutMs) : null,
    cannotStart: cannotStart(exitCode, text, project),
  })
}

/**
 * The command is one argument of `bash -c`, exactly as it was written. A shell in front of that one joins stderr to stdout,
 * so that the log reads as in a terminal, and is replaced by it: no quoting, and the exit code is the command's own.
 * bash in front, too: dash loses variables whose names are no identifiers.
 */
function shellCommand(shell: string, command: string): [string, ...string[]] {
  const name = basename(shell)
  const options = name === 'bash' ? ['--norc'] : []
  const careful = name === 'bash' ? ['--norc', '-p'] : []
  return [shell, ...careful, '-c', 'exec "$@" 2>&1', name, shell, ...options, '-c', '--', command]
}

/** Agents may add commands, and what the kernel refuses must not end the run. */
function whyImpossible(command: string): string | null {
  if (command.includes('\0')) return 'contains a character that no command can have'
  return Buffer.byteLength(command) > maxCommandBytes ? 'is too long for a command' : null
}

function troubleOf({ cause, signal }: CheckEnd, timeoutMs: number): string {
  switch (cause) {
    case 'timeout':
      return `ran longer than ${formatDuration(timeoutMs)}`
    case 'aborted':
      return 'interrupted'
    case 'silent':
      return 'printed nothing for too long'
    case 'exited':
      return signal === null ? 'could not be ended' : `was ended by ${signal}`
    default:
      return unreachable(cause)
  }
}

/** Past its limit a log has only the beginning, and people look for the end. A log that takes no more is no reason to stop. */
function addEnd(log: string, missingBytes: number, output: OutputEnds): void {
  if (missingBytes === 0) return
  const { tail } = output.ends()
  const end = tail.subarray(Math.max(0, tail.length - missingBytes))
  const note = `\n[… ${missingBytes - end.length} bytes left out …]\n`
  attempt('append to', log, () => {
    const fd = openSync(log, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW)
    try {
      writeAll(fd, Buffer.concat([Buffer.from(note), end]))
    } finally {
      closeSync(fd)
    }
  })
}
