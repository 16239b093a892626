import { err, ok, type Result } from '../../base/result.ts'
import { matchNames } from '../../process/name-patterns.ts'
import { trustedPath } from '../../process/find-program.ts'
import { runProgram } from '../../process/run-program.ts'
import type { Site } from '../isolation.ts'
import { readBoxList, type ListedBox } from './box-list.ts'
import type { VmCli } from './vm-cli.ts'

/** What the command line itself needs. Not the way to an ssh agent: its daemon would offer that to every box. */
const isClients = matchNames(
  'HOME PATH USER LOGNAME TMPDIR XDG_* DOCKER_* SBX_* HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy'
    .concat(' SystemRoot SYSTEMROOT APPDATA LOCALAPPDATA USERPROFILE ProgramData ProgramFiles TEMP TMP')
    .split(' '),
)

/** Only of a plugin that docker itself has started. */
const isNotOurs = matchNames(['DOCKER_CLI_PLUGIN_*'])

/** What a call for the sake of order came to. */
export interface ClientAnswer {
  /** null: it was killed, because it took too long or printed too much. */
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly stdout: string
  readonly stderr: string
}

export interface CallOptions {
  readonly stdin?: Uint8Array
  readonly timeoutMs?: number
}

/** One of the two programs, found on this machine. */
export interface VmClient {
  readonly cli: VmCli
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** Never asks anybody: stdin is closed, and there is a limit. */
  call(args: readonly string[], options?: CallOptions): Promise<ClientAnswer>
  /** All boxes there are, by the only source that can be believed. */
  list(): Promise<Result<readonly ListedBox[], ClientAnswer>>
  /** The command line for a program that is not called through this. */
  argv(args: readonly string[]): readonly [string, ...string[]]
}

const callMs = 30_000
const maxAnswerBytes = 4 * 1024 * 1024

export function vmClient(cli: VmCli, program: string, { env: user, places }: Site): VmClient {
  const env: Record<string, string> = { PATH: trustedPath(places) }
  for (const [name, value] of Object.entries(user)) {
    if (value !== undefined && name !== 'PATH' && isClients(name) && !isNotOurs(name)) env[name] = value
  }
  const call = async (args: readonly string[], { stdin, timeoutMs = callMs }: CallOptions = {}) => {
    const outcome = await runProgram({
      program,
      args: [...cli.words, ...args],
      cwd: '/',
      env,
      timeoutMs,
      maxOutputBytes: maxAnswerBytes,
      ...(stdin === undefined ? {} : { stdin }),
    })
    if (!outcome.ok)
      return { exitCode: null, timedOut: false, stdout: '', stderr: `it cannot be started (${outcome.error.code})` }
    const { end, exitCode, stdout, stderrTail } = outcome.value
    return {
      exitCode: end === 'exited' ? exitCode : null,
      timedOut: end === 'timeout',
      stdout: stdout.toString('utf8'),
      stderr: stderrTail,
    }
  }
  return {
    cli,
    program,
    env,
    call,
    argv: (args) => [program, ...cli.words, ...args],
    async list() {
      const answer = await call(['ls', '--json'])
      const boxes = answer.exitCode === 0 ? readBoxList(answer.stdout) : null
      return boxes === null ? err(answer) : ok(boxes)
    },
  }
}

/** The last thing that it said, for people. */
export function lastWords({ stdout, stderr, timedOut }: ClientAnswer): string {
  if (timedOut) return 'it did not answer in time'
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim())
  return (
    lines.findLast((line) => /error|failed|denied|cannot|unknown/i.test(line)) ??
    lines.findLast((line) => line !== '') ??
    'it said nothing'
  )
}
