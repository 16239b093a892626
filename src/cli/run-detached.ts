import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import { isRunId } from '../base/ids.ts'
import { prepareProject, runPaths } from '../journal/project-state.ts'
import type { Failure } from '../model/failure.ts'
import { startDetached } from '../process/start-detached.ts'
import { attempt } from '../store/attempt.ts'
import { readSmall } from '../store/read-small.ts'
import type { ExitCode, Input } from './command.ts'
import type { Project } from './project.ts'
import { ralphItself } from './ralph-itself.ts'

/** Tells a run that somebody waits for its id, on the descriptor that this names. */
const variable = 'RALPH_DETACHED_FD'

/**
 * The same command in a session of its own, with its output in a file. Returns when the run has begun, or with what it
 * said when it could not.
 */
export async function runDetached(input: Input, project: Project): Promise<Result<ExitCode, Failure>> {
  const { state } = project
  const prepared = prepareProject(state)
  if (!prepared.ok) return prepared
  // Not by the pid: in a container it is the same one every time, and a killed start leaves its draft.
  const draftName = `output-${randomBytes(6).toString('hex')}.log`
  const draft = join(state.directory, draftName)
  const log = attempt('create', draft, () => openSync(draft, 'wx', 0o600))
  if (!log.ok) return log
  const words = (input.words ?? []).filter((word) => word !== '--detach')
  const started = await startDetached({
    argv: [...ralphItself(), 'run', ...words],
    cwd: input.cwd,
    env: { ...input.env, [variable]: '3' },
    output: log.value,
  })
  closeSync(log.value)
  if (!started.ok) return started
  const { line: runId, exitCode } = started.value
  if (runId === null || !isRunId(runId)) {
    const said = readSmall(state.directory, draftName)
    rmSync(draft, { force: true })
    if (said.kind === 'text' && said.text.trim() !== '') input.output.remark(said.text.trimEnd())
    return ok((exitCode ?? 1) as ExitCode)
  }
  const { directory } = runPaths(state, runId)
  const path = join(directory, 'output.log')
  const moved = attempt('move', draft, () => {
    keepEarlier(directory)
    renameSync(draft, path)
  })
  if (!moved.ok) return moved
  input.output.line(runId)
  input.output.remark(
    `It runs by itself; its output goes to ${path}. "ralph log --follow" shows it, "ralph cancel" stops it.`,
  )
  return ok(0)
}

/** What an earlier process of this run has said stays beside it: `output-1.log` was the first. */
function keepEarlier(directory: string): void {
  if (!existsSync(join(directory, 'output.log'))) return
  let count = 1
  while (existsSync(join(directory, `output-${count}.log`))) count++
  renameSync(join(directory, 'output.log'), join(directory, `output-${count}.log`))
}

/** In the run itself: says its id to whoever detached it, once. */
export function tellRunId(runId: string, env: NodeJS.ProcessEnv = process.env): void {
  const fd = Number(env[variable])
  delete env[variable]
  if (!Number.isInteger(fd) || fd < 3) return
  try {
    writeSync(fd, `${runId}\n`)
    closeSync(fd)
  } catch (error) {
    // Whoever waited is gone; the run is not.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}
