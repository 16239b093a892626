import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { runProgram } from '../process/run-program.ts'
import { attempt } from '../store/attempt.ts'
import { demoFiles } from './project.ts'

export interface PrepareRequest {
  /** A directory that does not exist yet; the one above it does. */
  readonly project: string
  /** Absolute. */
  readonly git: string
  /** From `demoEnvironment`. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** The scratch project as a repository with one commit, ready for a loop; if that cannot be had, there is none. */
export async function prepareDemo(request: PrepareRequest): Promise<Result<void, Failure>> {
  const made = attempt('make', request.project, () => mkdirSync(request.project))
  if (!made.ok) return made
  const filled = await fill(request)
  if (!filled.ok) rmSync(request.project, { recursive: true, force: true })
  return filled
}

async function fill(request: PrepareRequest): Promise<Result<void, Failure>> {
  const written = attempt('write', request.project, () => {
    for (const [path, content] of Object.entries(demoFiles)) {
      const file = join(request.project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  })
  if (!written.ok) return written
  for (const args of [
    // Without a template: no hooks of anybody's.
    ['-c', 'init.defaultBranch=main', 'init', '--quiet', '--template='],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'A till that reads orders, and tests for what is missing'],
  ]) {
    const done = await runGit(request, args)
    if (!done.ok) return done
  }
  return ok(undefined)
}

async function runGit(request: PrepareRequest, args: readonly string[]): Promise<Result<void, Failure>> {
  const { project, git, env, signal } = request
  const ran = await runProgram({ program: git, args, cwd: project, env, signal })
  if (!ran.ok) return ran
  const { exitCode, stderrTail } = ran.value
  if (exitCode === 0) return ok(undefined)
  return err({ reason: 'git-failed', doing: 'prepare the scratch project', exitCode, stderr: stderrTail })
}
