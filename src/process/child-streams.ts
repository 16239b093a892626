import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { takePipe, type Pipe } from './pipe-pool.ts'

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
  if (process.platform !== 'linux') return withSockets(stdin)
  const input = stdin === undefined ? 'ignore' : openInput(stdin)
  const stdout = await takePipe()
  const stderr = await takePipe()
  if (input !== null && stdout !== null && stderr !== null) return withPipes(input, stdout, stderr)
  for (const file of [input, stdout?.reader, stdout?.writer, stderr?.reader, stderr?.writer]) closeIfOpen(file)
  return withSockets(stdin)
}

function withPipes(input: number | 'ignore', stdout: Pipe, stderr: Pipe): ChildStreams {
  const open = (pipe: Pipe): Readable => new Socket({ fd: pipe.reader, readable: true, writable: false })
  const outputs = { stdout: open(stdout), stderr: open(stderr) }
  const theirs = [input, stdout.writer, stderr.writer]
  return {
    stdio: theirs,
    outputsOf: () => outputs,
    release: () => theirs.forEach(closeIfOpen),
    discard: () => {
      outputs.stdout.destroy()
      outputs.stderr.destroy()
    },
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

/** A file without a name that holds just this. Null where there is no room for it. */
function openInput(bytes: Uint8Array | string): number | null {
  let directory: string | undefined
  try {
    directory = mkdtempSync(join(tmpdir(), 'ralph-'))
    const path = join(directory, 'stdin')
    writeFileSync(path, bytes, { mode: 0o600 })
    return openSync(path, 'r')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return null
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  }
}

function closeIfOpen(file: number | string | null | undefined): void {
  if (typeof file === 'number') closeSync(file)
}
