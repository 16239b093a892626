import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { runProgram } from './run-program.ts'

/** Stdin, stdout and stderr of a child, from before its start. */
export interface ChildStreams {
  readonly stdio: StdioOptions
  /** Our ends, once the child was started. */
  outputsOf(child: ChildProcess): { readonly stdout: Readable; readonly stderr: Readable } | null
  /** Lets go of the child's ends: only then does the end of the child end the streams. */
  release(): void
  /** Lets go of ours: there will be no child. */
  discard(child: ChildProcess | undefined): void
}

/**
 * Real pipes and a file. Node gives its children sockets, and on Linux nobody can open a socket a second time: scripts with
 * `echo … > /dev/stderr`, `tee /dev/stdout` or `cat /dev/stdin` fail, and bash takes a socket on stdin for a login by
 * rsh and runs ~/.bashrc. What works in a terminal must work as an agent or a check.
 */
export async function openChildStreams(stdin: Uint8Array | string | undefined): Promise<ChildStreams> {
  return (process.platform === 'linux' ? await withPipes(stdin) : null) ?? withSockets(stdin)
}

async function withPipes(stdin: Uint8Array | string | undefined): Promise<ChildStreams | null> {
  const mkfifo = ['/usr/bin/mkfifo', '/bin/mkfifo'].find((path) => existsSync(path))
  if (mkfifo === undefined) return null
  let directory: string | undefined
  const opened: number[] = []
  const open = (path: string, flags: number): number => {
    const file = openSync(path, flags)
    opened.push(file)
    return file
  }
  try {
    directory = mkdtempSync(join(tmpdir(), 'ralph-'))
    const [input, out, error] = [join(directory, 'in'), join(directory, 'out'), join(directory, 'err')]
    const made = await runProgram({ program: mkfifo, args: ['-m', '600', out, error], cwd: directory, env: {} })
    if (!made.ok || made.value.exitCode !== 0) return null
    if (stdin !== undefined) writeFileSync(input, stdin, { mode: 0o600 })
    const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants
    // Our ends first and without waiting: a FIFO opened for writing waits for its reader.
    const ours = [open(out, O_RDONLY | O_NONBLOCK), open(error, O_RDONLY | O_NONBLOCK)] as const
    const theirs = [
      stdin === undefined ? ('ignore' as const) : open(input, O_RDONLY),
      open(out, O_WRONLY),
      open(error, O_WRONLY),
    ]
    const outputs = {
      stdout: new Socket({ fd: ours[0], readable: true, writable: false }),
      stderr: new Socket({ fd: ours[1], readable: true, writable: false }),
    }
    return {
      stdio: theirs,
      outputsOf: () => outputs,
      release: () => theirs.forEach((file) => typeof file === 'number' && closeSync(file)),
      discard: () => {
        outputs.stdout.destroy()
        outputs.stderr.destroy()
      },
    }
  } catch (error) {
    // No room or no permission for temporary files: sockets need none.
    if (!(error instanceof Error && 'code' in error)) throw error
    for (const file of opened) closeSync(file)
    return null
  } finally {
    // Open files need no names, and nothing is left if we are killed.
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  }
}

function withSockets(stdin: Uint8Array | string | undefined): ChildStreams {
  return {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    outputsOf: (child) => {
      // A child that does not read its stdin closes it; that is its right.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(stdin)
      const { stdout, stderr } = child
      return stdout === null || stderr === null ? null : { stdout, stderr }
    },
    release: () => undefined,
    discard: (child) => {
      for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy()
    },
  }
}
