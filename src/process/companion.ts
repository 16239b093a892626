import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { ByteTail } from './byte-tail.ts'
import { killGroup } from './kill-group.ts'
import { startFailure } from './start-failure.ts'

/** A program of ours beside this one that answers questions, a line for a line, and ends when its stdin does. */
export interface Companion {
  /** One question at a time; the others wait. The error is a sentence. */
  ask(question: string, timeoutMs: number): Promise<Result<string, string>>
  /** Closes its stdin and waits until it has put everything away; one that does not end is killed. */
  end(): Promise<void>
}

const endMs = 5000
const tailBytes = 2048

/** In a session of its own, and without the run's id: it is no child of the agent's. It holds up no exit of this process. */
export function startCompanion({
  argv: [program, ...args],
  cwd,
  env,
}: {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}): Promise<Result<Companion, Extract<Failure, { reason: 'cannot-start' }>>> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    child.once('error', (error) => resolve(err(startFailure(error, { program, cwd }))))
    child.once('spawn', () => resolve(ok(companionOf(child))))
  })
}

type Child = ChildProcess & Required<Pick<ChildProcess, 'stdin' | 'stdout' | 'stderr'>>

function companionOf(child: ChildProcess): Companion {
  const { stdin, stdout, stderr } = child as Child
  if (stdin === null || stdout === null || stderr === null) throw new Error('a started companion has no streams')
  const errors = new ByteTail(tailBytes)
  stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  // It may be gone; the question then says so.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined)
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const keepAwake = (awake: boolean): void => {
    for (const handle of [child, stdin, stdout, stderr] as { ref?(): void; unref?(): void }[]) {
      if (awake) handle.ref?.()
      else handle.unref?.()
    }
  }
  const askNow = async (question: string, timeoutMs: number): Promise<Result<string, string>> => {
    keepAwake(true)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), timeoutMs)))
    stdin.write(`${question}\n`)
    const answer = await Promise.race([answers.next(), late])
    // Its last words may come after the end of its answers.
    if (answer?.done === true) await Promise.race([exited, late])
    clearTimeout(timer)
    keepAwake(false)
    if (answer === null) return err(`It has not answered within ${Math.round(timeoutMs / 1000)} s.`)
    if (answer.done !== true) return ok(answer.value)
    const last = errors.text().trim().split('\n').at(-1) ?? ''
    return err(`It ended${last === '' ? '' : `: ${last}`}.`)
  }
  keepAwake(false)
  let before: Promise<unknown> = Promise.resolve()
  return {
    ask: (question, timeoutMs) => {
      const answer = before.then(() => askNow(question, timeoutMs))
      before = answer
      return answer
    },
    end: async () => {
      keepAwake(true)
      stdin.end()
      const timer = setTimeout(() => killGroup(child), endMs)
      if (child.exitCode === null && child.signalCode === null) await exited
      clearTimeout(timer)
    },
  }
}
