import { spawn, type ChildProcess } from 'node:child_process'
import { err, ok } from '../base/result.ts'
import { ByteTail, stderrTailBytes } from './byte-tail.ts'
import { killGroup } from './kill-group.ts'
import { rememberLive } from './live-children.ts'
import { startFailure } from './start-failure.ts'
import {
  defaultMaxOutputBytes,
  defaultProgramTimeoutMs,
  type ProgramEnd,
  type ProgramOutcome,
  type ProgramSpec,
} from './program-result.ts'

/** How long a pipe may stay open after the exit: a daemon that inherited it must not hold us. */
const closeGraceMs = 2000

/**
 * Git, hooks and every other short command: as cheap as a bare spawn, so no library. It has a session of its own, so Ctrl+C at
 * the terminal does not reach it and a prompt for a password finds no terminal.
 */
export function runProgram(spec: ProgramSpec): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let child: ChildProcess
    try {
      child = spawn(spec.program, spec.args, {
        cwd: spec.cwd,
        env: spec.env,
        stdio: [spec.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        detached: true,
      })
    } catch (error) {
      resolve(err(startFailure(error, spec)))
      return
    }

    let end: ProgramEnd = 'exited'
    const kill = (why: ProgramEnd): void => {
      if (end === 'exited') end = why
      killGroup(child)
    }
    const chunks: Buffer[] = []
    const stderr = new ByteTail(stderrTailBytes)
    const maxBytes = spec.maxOutputBytes ?? defaultMaxOutputBytes
    let size = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else if (end === 'exited') {
        chunks.push(chunk.subarray(0, chunk.length - (size - maxBytes)))
        kill('output-cap')
      }
    })
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
    // A program that does not read its stdin closes it; that is its right.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(spec.stdin)

    const timeout = setTimeout(() => kill('timeout'), spec.timeoutMs ?? defaultProgramTimeoutMs)
    const onAbort = (): void => kill('aborted')
    if (spec.signal?.aborted === true) onAbort()
    spec.signal?.addEventListener('abort', onAbort, { once: true })

    const forget = rememberLive({ killNow: () => Promise.resolve(killGroup(child)) })
    let grace: NodeJS.Timeout | undefined
    const settle = (outcome: ProgramOutcome): void => {
      clearTimeout(timeout)
      clearTimeout(grace)
      spec.signal?.removeEventListener('abort', onAbort)
      forget()
      resolve(outcome)
    }
    child.once('error', (error) => {
      // After the start, 'error' only says that a signal could not be sent; the exit still comes.
      if (child.pid === undefined) settle(err(startFailure(error, spec)))
    })
    child.once('exit', () => {
      clearTimeout(timeout)
      grace = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, closeGraceMs)
    })
    child.once('close', (exitCode, signal) => {
      settle(
        ok({
          end,
          exitCode,
          signal,
          stdout: Buffer.concat(chunks),
          stderrTail: stderr.text(),
          durationMs: performance.now() - startedAt,
        }),
      )
    })
  })
}
