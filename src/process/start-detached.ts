import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { startFailure } from './start-failure.ts'

export interface DetachedSpec {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** An open file that takes what it prints. */
  readonly output: number
}

/** What became of it before it was let go. */
export interface Detached {
  /** The first line that it wrote to descriptor 3; null: it ended without one. */
  readonly line: string | null
  readonly exitCode: number | null
}

/** Starts a program that outlives this one, in a session of its own, and waits until it has said its first line on descriptor 3. */
export function startDetached(spec: DetachedSpec): Promise<Result<Detached, Failure>> {
  const [program, ...args] = spec.argv
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ['ignore', spec.output, spec.output, 'pipe'],
    })
    const pipe = child.stdio[3] as Readable
    let text = ''
    const letGo = (detached: Detached): void => {
      pipe.destroy()
      child.unref()
      resolve(ok(detached))
    }
    pipe.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const end = text.indexOf('\n')
      if (end !== -1) letGo({ line: text.slice(0, end), exitCode: null })
    })
    // A pipe that breaks is one that says nothing more.
    pipe.on('error', () => undefined)
    child.once('error', (error) => resolve(err(startFailure(error, { program, cwd: spec.cwd }))))
    child.once('exit', (exitCode) => letGo({ line: null, exitCode }))
  })
}
