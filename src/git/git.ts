import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { runProgram } from '../process/run-program.ts'
import { cleanEnvironment, type RefereePlace } from './clean-environment.ts'
import { gitFailure } from './git-failure.ts'

export interface GitRequest {
  /** For the failure: "git could not <doing>". */
  readonly doing: string
  readonly args: readonly string[]
  readonly stdin?: Uint8Array | string
  /** Another index than the referee's own. */
  readonly index?: string
  /** Another work tree than the project. */
  readonly workTree?: string
  /** More variables, or others; a whole other environment with `environment`. */
  readonly env?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** Exit codes that are answers; default only 0. */
  readonly answers?: readonly number[]
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
}

export interface GitAnswer {
  readonly exitCode: number
  readonly stdout: Buffer
  /** The output was longer than asked for and is cut; only where `maxOutputBytes` was given. */
  readonly cut: boolean
}

/** Runs git in the referee's repository, with the project as the work tree, from the state directory. */
export type Git = (request: GitRequest) => Promise<Result<GitAnswer, Failure>>

const timeoutMs = 120_000
/** A list of a million paths; more is not a project. */
const maxOutputBytes = 256 * 1024 * 1024

export function gitOf(place: RefereePlace): Git {
  return async (request) => {
    const outcome = await runProgram({
      program: place.git,
      args: [
        '--no-pager',
        `--git-dir=${place.repository}`,
        `--work-tree=${request.workTree ?? place.project}`,
        ...request.args,
      ],
      cwd: place.stateDir,
      env: request.environment ?? { ...cleanEnvironment(place, request.index), ...request.env },
      ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
      timeoutMs: request.timeoutMs ?? timeoutMs,
      maxOutputBytes: request.maxOutputBytes ?? maxOutputBytes,
    })
    if (!outcome.ok) return outcome
    const { end, exitCode, stdout, stderrTail } = outcome.value
    if (end === 'output-cap' && request.maxOutputBytes !== undefined) return ok({ exitCode: 0, stdout, cut: true })
    if (end === 'exited' && exitCode !== null && (request.answers ?? [0]).includes(exitCode)) {
      return ok({ exitCode, stdout, cut: false })
    }
    const stderr = end === 'exited' ? stderrTail.trim() : `${endWords[end]} ${stderrTail.trim()}`
    const failed = { doing: request.doing, exitCode: end === 'exited' ? exitCode : null, stderr }
    return err(gitFailure(failed, place.repository))
  }
}

const endWords = {
  timeout: 'it took too long.',
  'output-cap': 'it printed too much.',
  aborted: 'it was stopped.',
} as const

/** One line of output, as ids and names are. */
export const lineOf = (answer: GitAnswer): string => answer.stdout.toString('utf8').trim()

/** For `--upload-pack` and `--receive-pack`, which a shell reads. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A local address that git reads back byte by byte, whatever the path contains. */
export function fileUrl(path: string): string {
  const bytes = Array.from(Buffer.from(path), (byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9/._-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  })
  return `file://${bytes.join('')}`
}
