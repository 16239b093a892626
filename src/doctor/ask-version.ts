import { versionIn } from '../agents/compare-versions.ts'
import { visibleLine } from '../base/visible.ts'
import { runProgram } from '../process/run-program.ts'

/** What a program said when it was asked for its version. */
export type VersionAnswer =
  | { readonly kind: 'version'; readonly version: string }
  /** It ended well and named none. */
  | { readonly kind: 'none' }
  | { readonly kind: 'too-slow'; readonly timeoutMs: number }
  /** It could not be started, or did not end well; `how` can be shown. */
  | { readonly kind: 'failed'; readonly how: string }
  | { readonly kind: 'not-asked' }

export interface VersionQuestion {
  /** By its absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** PATH without the project's directories: many programs are scripts that need node. */
  readonly path: string
  /** For what finds itself by it: version managers put a small program in place of the real one. */
  readonly home: string | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** A version is a line; more is a program that did not understand. */
const maxOutputBytes = 64 * 1024

/** No key of the user's, no terminal, no browser, nothing new installed meanwhile. */
const quiet = { LC_ALL: 'C', TERM: 'dumb', NO_COLOR: '1', BROWSER: 'false', DISABLE_AUTOUPDATER: '1' }

export async function askVersion(question: VersionQuestion): Promise<VersionAnswer> {
  const { program, args, path, home, timeoutMs, signal } = question
  const ran = await runProgram({
    program,
    args,
    // Not in the project, whose files are an agent's.
    cwd: '/',
    env: { ...quiet, PATH: path, HOME: home ?? '/' },
    timeoutMs,
    maxOutputBytes,
    ...(signal === undefined ? {} : { signal }),
  })
  if (!ran.ok) return { kind: 'failed', how: `it could not be started (${ran.error.code})` }
  const { end, exitCode, signal: killedBy, stdout, stderrTail } = ran.value
  if (end === 'timeout') return { kind: 'too-slow', timeoutMs }
  if (end === 'exited' && exitCode !== 0) return { kind: 'failed', how: failed(exitCode, killedBy, stderrTail) }
  const text = stdout.toString('utf8').trim()
  const version = versionIn(text === '' ? stderrTail : text)
  return version === null ? { kind: 'none' } : { kind: 'version', version }
}

function failed(exitCode: number | null, signal: string | null, stderr: string): string {
  const words = stderr
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
  const how = exitCode === null ? `it died of ${signal ?? 'a signal'}` : `it ended with ${exitCode}`
  return words === undefined ? how : `${how}: ${visibleLine(words, 100)}`
}
