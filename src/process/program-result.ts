import type { Failure } from '../model/failure.ts'
import type { Result } from '../base/result.ts'

/** A short command: starts, answers, ends. No shell takes part in it. */
export interface ProgramSpec {
  /** Absolute, from `findProgram`. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** Written and then closed; without it stdin is /dev/null. */
  readonly stdin?: Uint8Array | string
  /** The program and its process group are killed after this; default one minute. */
  readonly timeoutMs?: number
  /** More stdout than this kills the program as well; default 64 MiB. */
  readonly maxOutputBytes?: number
  readonly signal?: AbortSignal
}

/** Why a short command is over. The first reason wins. */
export type ProgramEnd =
  /** By itself: look at exitCode and signal. */
  | 'exited'
  /** Killed because it took longer than `timeoutMs`. */
  | 'timeout'
  /** Killed because it printed more than `maxOutputBytes`: stdout is incomplete. */
  | 'output-cap'
  /** Killed because the caller's signal said so. */
  | 'aborted'

export interface ProgramResult {
  readonly end: ProgramEnd
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: Buffer
  /** The last 64 KiB. */
  readonly stderrTail: string
  readonly durationMs: number
}

export type ProgramOutcome = Result<ProgramResult, Extract<Failure, { reason: 'cannot-start' }>>

export const defaultProgramTimeoutMs = 60_000
export const defaultMaxOutputBytes = 64 * 1024 * 1024
