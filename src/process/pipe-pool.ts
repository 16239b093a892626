import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/** Both ends of a pipe as open files; whoever takes one closes both. */
export interface Pipe {
  readonly reader: number
  readonly writer: number
}

/** Node cannot make pipes, a program must; it is started once for so many, because that costs as much as a child. */
const batch = 16
const pool: Pipe[] = []

/** Null where there is no mkfifo or no room for temporary files. */
export async function takePipe(): Promise<Pipe | null> {
  if (pool.length === 0) pool.push(...(await makePipes(batch)))
  return pool.pop() ?? null
}

async function makePipes(count: number): Promise<Pipe[]> {
  const mkfifo = ['/usr/bin/mkfifo', '/bin/mkfifo'].find((path) => existsSync(path))
  if (mkfifo === undefined) return []
  const pipes: Pipe[] = []
  let directory: string | undefined
  try {
    const place = mkdtempSync(join(tmpdir(), 'ralph-'))
    directory = place
    const paths = Array.from({ length: count }, (_, index) => join(place, String(index)))
    const made = await runProgram({ program: mkfifo, args: ['-m', '600', ...paths], cwd: place, env: {} })
    if (!made.ok || made.value.exitCode !== 0) return []
    for (const path of paths) pipes.push(openPipe(path))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  } finally {
    // Open files need no names, and nothing is left if we are killed.
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  }
  return pipes
}

/** Our end first and without waiting: a FIFO opened for writing waits for its reader. */
function openPipe(path: string): Pipe {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { reader, writer: openSync(path, constants.O_WRONLY) }
  } catch (error) {
    closeSync(reader)
    throw error
  }
}
