import { err, ok, type Result } from '../base/result.ts'
import { ensureUnlocked } from '../git/ensure-unlocked.ts'
import { acquireLock, type Lock } from '../store/lock.ts'
import { removeDrafts } from '../store/remove-drafts.ts'
import { thisHost, type Host } from '../store/host.ts'
import { inspectLock, lockedBy } from '../store/inspect-lock.ts'
import { clearRequest } from '../journal/control-file.ts'
import { lookAtProject, type ProjectLook } from '../journal/look-at-project.ts'
import { prepareProject } from '../journal/project-state.ts'
import { recordIn, removeStandIns } from '../isolation/os/stand-ins.ts'
import type { Failure } from '../model/failure.ts'
import type { ExitCode, RunCommand } from './command.ts'
import { chooseRun, isCutOff, type RunChoice } from './choose-run.ts'
import { openProject, type Project } from './project.ts'
import { refuseUnsafeProject } from './refuse-unsafe-project.ts'
import { refuseInsideLoop } from './refuse-inside-loop.ts'
import { readRunSettings } from './run-settings.ts'
import { findTools } from './run-tools.ts'
import { siteOf } from './site-of.ts'
import { runDetached } from './run-detached.ts'
import { dryRun } from './dry-run.ts'
import { endEarlier } from './end-earlier.ts'
import { goOn, judgeOther, startNew, type Preparation } from './run-stories.ts'
import { findProgram } from '../process/find-program.ts'
import { secretValues } from '../process/secret-values.ts'
import { preflight } from './preflight.ts'
import { openRunDisplay } from './run-display.ts'
import { branchOf } from './start-list.ts'
import { systemClock } from './system-clock.ts'

/** The loop: from the command line to the exit code. Nothing on the disk changes before everything is known to hold. */
export const run: RunCommand = async (input) => {
  const { cwd, env, options: flags } = input
  const inside = refuseInsideLoop(env)
  if (!inside.ok) return inside
  const project = openProject({ cwd, env, projectDir: flags['projectDir'], ralphDir: flags['ralphDir'] })
  if (!project.ok) return project
  const safe = refuseUnsafeProject(project.value.root, env)
  if (!safe.ok) return safe
  const host = thisHost()
  const seen = inspectLock(project.value.state.lock, host)
  if (seen.kind !== 'free' && seen.kind !== 'stale') return err(lockedBy(project.value.state.lock, seen))
  const fresh = flags['fresh'] === true
  const look = lookForRun(project.value.state, host, fresh)
  if (!look.ok) return look
  const choice = chooseRun(look.value, { fresh, ralphDir: project.value.ralphDir, branchName: branchOf(project.value) })
  const settings = readRunSettings(input, project.value, choice)
  if (!settings.ok) return settings
  const git = findProgram('git', { path: env['PATH'] ?? '', forbiddenRoot: project.value.root })
  if (!git.ok) return git
  // What an agent left behind may break anything, and is put right first.
  if (!isUnjudged(choice)) {
    const { artefacts = [] } = (choice.kind === 'resume' ? choice.run.state : choice.previous)?.stories ?? {}
    const ready = await preflight(project.value, settings.value.options, { git: git.value, env, artefacts })
    if (!ready.ok) return ready
    // What a killed run has left is removed when it goes on.
    const unlocked = choice.kind === 'new' ? await ensureUnlocked(project.value.root) : ok(undefined)
    if (!unlocked.ok) return unlocked
  }
  const tools = await findTools(project.value, settings.value.options, env)
  if (!tools.ok) return tools
  const display = openRunDisplay(input, settings.value, project.value.root)
  try {
    if (look.value.damaged !== undefined) {
      display.remark(
        `Left behind, because it is damaged: ${look.value.damaged}. What its run left unjudged is taken as yours.`,
      )
    }
    const preparation: Preparation = {
      input,
      project: project.value,
      settings: settings.value,
      tools: tools.value,
      clock: systemClock,
      display,
      host,
    }
    const last = look.value.run
    if (flags['dryRun'] === true) return await dryRun(preparation, choice)
    if (flags['detach'] === true) return await runDetached(input, project.value)
    const ended = await withLock(project.value, preparation, async (lock) => {
      // Between the first look and the lock somebody else may have been here.
      const again = lookForRun(project.value.state, host, fresh)
      if (!again.ok) return again
      if (again.value.runId !== look.value.runId || again.value.run?.lastEventAt !== last?.lastEventAt) {
        return err({
          reason: 'locked',
          path: project.value.state.lock,
          holder: 'another run, which has just ended',
          fix: 'Start again.',
        })
      }
      // It was killed, perhaps beside a living agent or check: they go before anything is looked at.
      if (last !== null && last.stopped === null) {
        const { isolation } = tools.value
        const site = siteOf(project.value, env, secretValues(env))
        await endEarlier(last, { isolation, site, remark: (text) => display.remark(text) })
      }
      // Whatever box this run has: the one that was killed may have been another.
      const tidied = removeStandIns(recordIn(project.value.state.given))
      if (!tidied.ok) return tidied
      const { root, ralphDir } = project.value
      const cleaned = removeDrafts(root, [[], ralphDir.split('/'), ['.ralph']])
      if (!cleaned.ok) return cleaned
      if (choice.kind === 'resume') return goOn(preparation, choice.run, lock)
      if (choice.unjudged !== null) return judgeOther(preparation, choice.unjudged, lock)
      return startNew(preparation, choice.previous, lock)
    })
    if (choice.kind === 'resume' || choice.unjudged === null || !ended.ok || ended.value !== 0) return ended
  } finally {
    display.close()
  }
  // Now that it is judged, the list and the settings are those of people again.
  return run(input)
}

const isUnjudged = (choice: RunChoice): boolean =>
  choice.kind === 'resume' ? isCutOff(choice.run.state) : choice.unjudged !== null

/** Who asks for a fresh run leaves a journal behind that cannot be read: nobody knows what is unjudged. */
function lookForRun(state: Project['state'], host: Host, fresh: boolean): Result<Earlier, Failure> {
  const look = lookAtProject(state, host)
  if (look.ok || !fresh || look.error.reason !== 'journal-damaged') return look
  return ok({ runId: null, run: null, damaged: look.error.path })
}

/** `damaged`: the journal that was left behind. */
type Earlier = Pick<ProjectLook, 'runId' | 'run'> & { readonly damaged?: string }

async function withLock(
  { state }: Project,
  { host }: Preparation,
  work: (lock: Lock) => Promise<Result<ExitCode, Failure>>,
): Promise<Result<ExitCode, Failure>> {
  const prepared = prepareProject(state)
  if (!prepared.ok) return prepared
  const lock = acquireLock(state.lock, host)
  if (!lock.ok) return lock
  try {
    const cleared = clearRequest(state.control)
    return cleared.ok ? await work(lock.value) : cleared
  } finally {
    // If it cannot be removed, the next start sees that its owner is gone.
    lock.value.release()
  }
}
