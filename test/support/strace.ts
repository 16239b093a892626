import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

/** Present, and allowed to trace: containers often forbid it. */
export const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

/** For the title of a test that needs it: a skipped test says why. */
export const straceReason = hasStrace ? '' : ' (skipped: strace is missing or may not trace here)'

export interface Injection {
  /** `fsync`, or several with commas; `?` before one that some machines do not have. */
  readonly calls: string
  /** `signal=KILL`, `error=EIO` … */
  readonly what: string
  /** The k-th such call of the program; `2+` for that and all later ones. */
  readonly when: string
  /** Only calls on these paths. */
  readonly paths?: readonly string[]
}

export interface Traced {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
  readonly killed: boolean
}

/** Runs a bundled program with a fault at one system call. */
export function runWithFault(program: string, args: readonly string[], fault: Injection): Traced {
  const only = (fault.paths ?? []).flatMap((path) => ['-P', path])
  const trace = ['-e', `trace=${fault.calls}`, '-e', `inject=${fault.calls}:${fault.what}:when=${fault.when}`]
  const ran = spawnSync(
    'strace',
    ['-f', '-qq', '-o', '/dev/null', ...only, ...trace, process.execPath, program, ...args],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    },
  )
  return { stdout: ran.stdout, stderr: ran.stderr, status: ran.status, killed: ran.signal === 'SIGKILL' }
}

/** The system calls of a program in their order, as `name(first path or descriptor's path)`; its output is `stdout`. */
export function traceCalls(program: string, args: readonly string[], calls: string): string[] {
  const log = `${program}.trace`
  const options = ['-f', '-qq', '-y', '-o', log, '-e', `trace=${calls}`]
  // Into a file, so that it can be told from the pipes that node uses inside.
  const stdout = openSync(`${program}.stdout`, 'w')
  spawnSync('strace', [...options, process.execPath, program, ...args], {
    stdio: ['ignore', stdout, 'inherit'],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  closeSync(stdout)
  // `123 fsync(4</path>) = 0` or `123 rename("/from", "/to") = 0`
  const call = /^\d+ +(\w+)\((?:\d+<([^>]*)>|"([^"]*)")/
  return readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => call.exec(line))
    .filter((found) => found !== null)
    .map(([, name, ofDescriptor, path]) => `${name}(${ofDescriptor ?? path})`.replace(`${program}.stdout`, 'stdout'))
}
