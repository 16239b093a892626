import { err, ok } from '../base/result.ts'
import { stderrTailBytes } from './byte-tail.ts'
import { startFailure } from './start-failure.ts'
import {
  defaultMaxOutputBytes,
  defaultProgramTimeoutMs,
  type ProgramEnd,
  type ProgramOutcome,
  type ProgramSpec,
} from './program-result.ts'

/**
 * Short commands outside the hot path, by execa. It is loaded when first needed: its import costs more than all else at
 * the start of the CLI, and hooks must not contain it at all.
 */
export async function runCommand(spec: ProgramSpec): Promise<ProgramOutcome> {
  // execa throws for this without a code; it is text that an agent may have written.
  if (spec.args.some((arg) => arg.includes('\0'))) {
    return err({ reason: 'cannot-start', program: spec.program, code: 'ERR_INVALID_ARG_VALUE' })
  }
  const { execa } = await import('execa')
  const startedAt = performance.now()
  const result = await execa(spec.program, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env },
    extendEnv: false,
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    timeout: spec.timeoutMs ?? defaultProgramTimeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: spec.maxOutputBytes ?? defaultMaxOutputBytes,
    ...(spec.stdin === undefined ? { stdin: 'ignore' as const } : { input: spec.stdin }),
    ...(spec.signal === undefined ? {} : { cancelSignal: spec.signal }),
  })
  const exitCode = result.exitCode ?? null
  const signal = result.signal ?? null
  const end = endOf(result)
  if (exitCode === null && signal === null && end === 'exited') {
    return err(startFailure(result.cause ?? result, spec))
  }
  return ok({
    end,
    exitCode,
    signal,
    stdout: Buffer.from(result.stdout),
    stderrTail: Buffer.from(result.stderr).subarray(-stderrTailBytes).toString(),
    durationMs: performance.now() - startedAt,
  })
}

function endOf(result: { timedOut: boolean; isMaxBuffer: boolean; isCanceled: boolean }): ProgramEnd {
  if (result.timedOut) return 'timeout'
  if (result.isMaxBuffer) return 'output-cap'
  return result.isCanceled ? 'aborted' : 'exited'
}
