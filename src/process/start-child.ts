import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import type { Readable } from 'node:stream'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { openChildStreams } from './child-streams.ts'
import { containedArgv, type Containment } from './containment.ts'
import { runIdVariable } from './end-tree.ts'
import type { ProcessIdentity } from './process-table.ts'
import { startFailure } from './start-failure.ts'
import { systemProcesses } from './system-processes.ts'

export interface StartSpec {
  /** The program by its absolute path, then its arguments. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment; only the run's id is added. */
  readonly env: Readonly<Record<string, string>>
  /** What it leaves behind is found by this, so two children that run at once must not share one. */
  readonly runId: string
  readonly containment: Containment
  /** All there is to read, then its end; without it stdin is /dev/null. */
  readonly stdin?: Uint8Array | string
}

export interface StartedChild {
  readonly process: ChildProcess
  readonly pid: number
  /** Asked for at once: as long as nobody waited for the child, it is in the system's table. */
  readonly identity: Promise<ProcessIdentity | null>
  readonly stdout: Readable
  readonly stderr: Readable
}

/** In a session of its own: the terminal's Ctrl+C is for us alone, and nothing can be typed into our terminal. */
export async function startChild(
  spec: StartSpec,
): Promise<Result<StartedChild, Extract<Failure, { reason: 'cannot-start' }>>> {
  const streams = await openChildStreams(spec.stdin)
  let child: ChildProcess | undefined
  try {
    // Inside a wrapper a missing program would only be an exit code.
    accessSync(spec.argv[0], constants.X_OK)
    const [program = '', ...args] = containedArgv(spec.containment, spec.argv)
    const env = { ...spec.env, [runIdVariable]: spec.runId }
    const started = spawn(program, args, { cwd: spec.cwd, env, stdio: streams.stdio, detached: true })
    child = started
    const { pid } = started
    // Without a pid the reason follows. Later errors would only say that a signal was not delivered.
    const failed = new Promise<unknown>((resolve) => started.on('error', resolve))
    if (pid === undefined) throw await failed
    const outputs = streams.outputsOf(started)
    if (outputs === null) throw new Error('a started child has no streams')
    return ok({ process: started, pid, identity: systemProcesses().identify(pid), ...outputs })
  } catch (error) {
    streams.discard(child)
    return err(startFailure(error, { program: spec.argv[0], cwd: spec.cwd }))
  } finally {
    streams.release()
  }
}
