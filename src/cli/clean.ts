import { existsSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import { backends } from '../isolation/backends.ts'
import type { Backend } from '../isolation/isolation.ts'
import { recordIn, removeStandIns } from '../isolation/os/stand-ins.ts'
import { lookAtProject } from '../journal/look-at-project.ts'
import { listRuns } from '../journal/runs.ts'
import type { Failure } from '../model/failure.ts'
import { endRun } from '../process/end-tree.ts'
import { secretValues } from '../process/secret-values.ts'
import { thisHost, type Host } from '../store/host.ts'
import { inspectLock, lockedBy } from '../store/inspect-lock.ts'
import { acquireLock } from '../store/lock.ts'
import { removeAside } from '../store/remove-aside.ts'
import { isUnsettled } from './choose-run.ts'
import type { ExitCode, Input, Output, RunCommand } from './command.ts'
import { openProject, type Project } from './project.ts'
import { refuseInsideLoop } from './refuse-inside-loop.ts'
import { siteOf } from './site-of.ts'

/** Removes what Ralph keeps for a project outside of it. */
export const clean: RunCommand = (input) => cleanWith(backends, input)

/** The same with boxes of one's own. */
export async function cleanWith(
  boxes: readonly Backend[],
  { options, cwd, env, output }: Input,
): Promise<Result<ExitCode, Failure>> {
  const allowed = refuseInsideLoop(env)
  if (!allowed.ok) return allowed
  const opened = openProject({ cwd, env, projectDir: options['projectDir'] })
  if (!opened.ok) return opened
  const project = opened.value
  if (options['worktrees'] === true) return err({ reason: 'not-built-yet', command: 'ralph clean --worktrees' })
  if (options['sandbox'] !== true && options['state'] !== true) return nothingChosen(project, output)
  const isFree = ensureFree(project, thisHost())
  if (!isFree.ok) return isFree
  if (options['sandbox'] === true) {
    const removed = await removeSandboxes(boxes, project, { env, output })
    if (!removed.ok) return removed
  }
  return options['state'] === true ? removeState(project, { force: options['force'] === true, output }) : ok(0)
}

function nothingChosen(project: Project, output: Output): Result<never, Failure> {
  const { directory } = project.state
  const runs = listRuns(project.state)
  const kept = runs.ok ? `, ${runs.value.length === 1 ? '1 run' : `${runs.value.length} runs`}` : ''
  const state = existsSync(directory) ? `${visibleLine(directory)}${kept}` : 'there is none'
  output.line('--sandbox  would remove the sandboxes of this project')
  output.line(`--state    would remove its journals, logs and snapshots: ${state}`)
  return err({
    reason: 'usage',
    message: 'Nothing was removed: no option says what.',
    fix: 'Give --sandbox, --state or both.',
  })
}

/** Looked at before the lock is taken, which makes directories: what is not there need not be removed. */
function ensureFree({ state }: Project, host: Host): Result<void, Failure> {
  const lock = inspectLock(state.lock, host)
  return lock.kind === 'free' || lock.kind === 'stale' ? ok(undefined) : err(lockedBy(state.lock, lock))
}

async function removeSandboxes(
  boxes: readonly Backend[],
  project: Project,
  { env, output }: Pick<Input, 'env' | 'output'>,
): Promise<Result<void, Failure>> {
  const site = siteOf(project, env, secretValues(env))
  let count = 0
  for (const backend of boxes) {
    const removed = await backend.remove?.(site)
    if (removed?.ok === false) return removed
    for (const sandbox of removed?.value ?? [])
      output.line(`Removed the sandbox ${visibleLine(sandbox)} (${backend.name}).`)
    count += removed?.value.length ?? 0
  }
  if (count === 0) output.line('There is no sandbox of this project. The box "os" and direct mode keep none.')
  return ok(undefined)
}

/** Journals, logs and snapshots of every run here; other projects have their own. */
async function removeState(
  { state }: Project,
  { force, output }: { readonly force: boolean; readonly output: Output },
): Promise<Result<ExitCode, Failure>> {
  if (!existsSync(state.directory)) {
    output.line('There is no state of this project.')
    return ok(0)
  }
  const host = thisHost()
  const lock = acquireLock(state.lock, host)
  if (!lock.ok) return lock
  const removed = await whileHeld(state, { force, host })
  if (!removed.ok) {
    lock.value.release()
    return removed
  }
  output.line(`Removed the state of this project: ${visibleLine(state.directory)}`)
  return ok(0)
}

async function whileHeld(
  state: Project['state'],
  { force, host }: { readonly force: boolean; readonly host: Host },
): Promise<Result<void, Failure>> {
  const look = lookAtProject(state, host)
  // What cannot be read is a reason to remove it, but not without being told.
  if (!look.ok && !force) return look
  const run = look.ok ? look.value.run : null
  if (run !== null && isUnsettled(run) && !force) {
    return err({
      reason: 'locked',
      path: state.lock,
      holder: 'the last run was cut off, and what its agent left in the project is not judged yet',
      fix: 'Start "ralph run" once, which judges it; or give it up: ralph clean --state --force',
    })
  }
  // Afterwards nobody knows of them any more.
  if (look.ok && look.value.runId !== null && run?.stopped === null) await endRun(look.value.runId)
  // It is noted down in there what a run in the OS sandbox that was killed has left in the git directory.
  const tidied = removeStandIns(recordIn(state.given))
  if (!tidied.ok) return tidied
  return removeAside(state.directory)
}
