import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import { userEnvironment } from '../git/clean-environment.ts'
import { switchBranch } from '../git/switch-branch.ts'
import type { JsonObject } from '../base/json.ts'
import type { LoopPorts } from '../loop/ports.ts'
import { exitCode, run as runLoop, type RunEnd } from '../loop/run.ts'
import type { Failure } from '../model/failure.ts'
import { exitCodeOf } from '../model/stop-reason.ts'
import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import { optionsFromJournal } from '../settings/options-from-journal.ts'
import type { Host } from '../store/host.ts'
import type { Lock } from '../store/lock.ts'
import type { Display } from '../terminal/display.ts'
import { storiesWorkflow } from '../workflows/stories.ts'
import { approvedByHand } from './approved-by-hand.ts'
import { isCutOff, type EarlierRun } from './choose-run.ts'
import type { ExitCode, Input } from './command.ts'
import { installationRoot } from './installation.ts'
import { tellRunId } from './run-detached.ts'
import { defaultTemplate, pluginDirectory } from './installation-files.ts'
import { describeStart } from './describe-start.ts'
import { rememberJournal } from './journal-in-use.ts'
import { changedSurface } from './changed-surface.ts'
import { beginRun, reopenRun, type StartedRun } from './open-run.ts'
import { preflight, type Ready } from './preflight.ts'
import type { Project } from './project.ts'
import type { RunSettings } from './run-settings.ts'
import type { RunTools } from './run-tools.ts'
import { listenForStop } from './stop-requests.ts'
import { summarize, viewOf } from './summarize.ts'
import { openBox } from './open-box.ts'
import { watchInstallation } from './watch-installation.ts'
import { instructionsFor, loopOptions, wireLoop, wireStories, type RunParts } from './wire-run.ts'

/** What is known before the lock is held. */
export interface Preparation {
  readonly input: Input
  readonly project: Project
  readonly settings: RunSettings
  readonly tools: RunTools
  readonly clock: Clock
  readonly display: Display
  readonly host: Host
}

type Exit = Promise<Result<ExitCode, Failure>>

/** A run that nobody began before. */
export async function startNew(preparation: Preparation, previous: RunState | null, lock: Lock): Exit {
  const { settings } = preparation
  const ready = await readyProject(preparation, previous?.stories.artefacts)
  if (!ready.ok) return ready
  const { list, dirtyPaths, artefacts } = ready.value
  const opened = await beginRun(requestOf(preparation), {
    options: settings.options,
    dirtyPaths,
    artefacts,
    list,
    previous,
  })
  if (!opened.ok) return opened
  if (previous !== null) await sayWhatPeopleDid(preparation, opened.value, { list, previous })
  return drive(preparation, opened.value, { lock, list, dirtyPaths })
}

/** A run that was killed or interrupted. Its open iteration is brought to an end first, against its own snapshot. */
export async function goOn(preparation: Preparation, { runId, state }: EarlierRun, lock: Lock): Exit {
  const { settings } = preparation
  const { ralphDir } = settings.options
  const ready = isCutOff(state) ? null : await readyProject(preparation, state.stories.artefacts)
  if (ready !== null && !ready.ok) return ready
  const opened = await reopenRun(requestOf(preparation), { runId, ralphDir })
  if (!opened.ok) return opened
  const before = dirtyOf(state.options)
  const dirtyPaths = [...new Set([...before, ...(ready === null ? [] : ready.value.dirtyPaths)])]
  const more = dirtyPaths.length > before.length ? { dirtyPaths } : {}
  const flags = { ...settings.given, ...more } as unknown as JsonObject
  const resumed = opened.value.journal.append({ kind: 'run.resumed', flags })
  if (!resumed.ok) return resumed
  const run = { ...opened.value, started: resumed.value }
  if (ready !== null) await sayWhatPeopleDid(preparation, run, { list: ready.value.list, previous: state })
  return drive(preparation, run, { lock, list: ready?.value.list ?? null, dirtyPaths })
}

/**
 * An iteration of a run that does not go on: judged against its own snapshot before anything is built on what it left. Not 0 if
 * somebody wanted everything to stop meanwhile.
 */
export async function judgeOther(preparation: Preparation, { runId, state }: EarlierRun, lock: Lock): Exit {
  const options = optionsFromJournal(state.options)
  const opened = await reopenRun(requestOf(preparation), { runId, ralphDir: options.ralphDir })
  if (!opened.ok) return opened
  const what = state.open === null ? 'The last checks were' : `Iteration ${state.iteration} was`
  preparation.display.remark(`${what} cut off in run ${runId}: what is left of that is judged first.`)
  const resumed = opened.value.journal.append({ kind: 'run.resumed', flags: {} })
  if (!resumed.ok) return resumed
  const run = { ...opened.value, started: resumed.value }
  const ended = await loop({ ...preparation, settings: { ...preparation.settings, options } }, run, {
    lock,
    list: null,
    dirtyPaths: dirtyOf(state.options),
    until: 'judged',
  })
  if (!ended.ok) return ended
  const { end, isAsked } = ended.value
  if (end.failure !== null) return err(end.failure)
  return ok(isAsked ? (exitCodeOf.interrupted as ExitCode) : 0)
}

/** Everything holds, and HEAD is on the list's branch. */
async function readyProject(
  preparation: Preparation,
  artefacts: readonly string[] = [],
): Promise<Result<Ready, Failure>> {
  const { project, settings, tools, input, display } = preparation
  const { options } = settings
  const tool = { git: tools.git, env: input.env, artefacts }
  const ready = await preflight(project, options, tool)
  if (!ready.ok) return ready
  const { branchName } = ready.value.list
  if (options.noBranch || ready.value.branch === branchName) return ready
  const environment = userEnvironment(input.env)
  const switched = await switchBranch({ project: project.root, git: tools.git, environment, branch: branchName })
  if (!switched.ok) return switched
  display.remark(
    switched.value === 'created'
      ? `On the new branch ${branchName}, made from ${visibleLine(ready.value.branch)}.`
      : `On the branch ${branchName}.`,
  )
  // Another branch may have another list.
  return preflight(project, options, tool)
}

interface Driving {
  readonly lock: Lock
  /** null: it comes from the snapshot of the open iteration. */
  readonly list: TaskList | null
  readonly dirtyPaths: readonly string[]
  readonly until?: 'judged'
}

async function drive(preparation: Preparation, opened: StartedRun, driving: Driving): Exit {
  const { display, settings } = preparation
  const { strict } = settings.options
  tellRunId(opened.runId)
  const ended = await loop(preparation, opened, driving)
  if (!ended.ok) return ended
  const { end, list } = ended.value
  const { state } = opened.journal
  if (state !== null) {
    const view = viewOf(list, settings.options)
    const surface = await changedSurface(opened.referee, opened.paths.journal, state.lastCommit)
    const summary = summarize(opened.paths.journal, { state, view, end, surface })
    // A demo says itself what can be done with what is left of it.
    display.summary(preparation.input.options['demo'] === true ? { ...summary, nextCommand: null } : summary)
  }
  if (end.failure !== null) return err(end.failure)
  return ok(exitCode(end.reason, strict) as ExitCode)
}

interface LoopEnd {
  readonly end: RunEnd
  readonly list: TaskList
  /** Somebody asked for it. */
  readonly isAsked: boolean
}

async function loop(
  preparation: Preparation,
  opened: StartedRun,
  { lock, list, dirtyPaths, until }: Driving,
): Promise<Result<LoopEnd, Failure>> {
  const { project, settings, tools, clock, display, input } = preparation
  const { options } = settings
  rememberJournal(opened.paths.journal)
  const stop = listenForStop(project.state.control, lock.nonce, (text) => display.remark(text))
  const box = await openBox(tools, {
    runId: opened.runId,
    referee: opened.referee,
    options,
    env: input.env,
    remark: (text) => display.remark(text),
  })
  if (!box.ok) {
    stop.close()
    opened.journal.close()
    return box
  }
  try {
    const parts: RunParts = {
      ...tools,
      ...opened,
      box: box.value,
      state: project.state,
      clock,
      project: project.root,
      options,
      env: input.env,
      dirtyPaths,
      defaultTemplate: defaultTemplate(),
      pluginDir: pluginDirectory(),
      changedInstallation: watchInstallation(installationRoot()),
      stop,
      ensureHeld: () => (lock.stillOurs() ? ok(undefined) : err(lockLost(project))),
      remark: (text) => display.remark(text),
    }
    const instructions = instructionsFor(parts)
    const workflow = storiesWorkflow(wireStories(parts, instructions), list ?? emptyList)
    const ports = wireLoop(parts, instructions, {
      event: (event, state) => display.event(event, state, viewOf(workflow.list(), options)),
      notice: (notice) => display.notice(notice),
    })
    if (!ports.ok) return ports
    const { state } = opened.journal
    if (state !== null) ports.value.show.event(opened.started, state)
    const chosen = sayIsolation(opened.journal, tools, ports.value.show)
    if (!chosen.ok) return chosen
    if (until !== 'judged') {
      const { branch } = opened.referee.baseline
      const lines = describeStart(preparation, { list: workflow.list(), branch, used: state?.iteration ?? 0 })
      for (const line of lines) display.remark(line)
    }
    const end = await runLoop({ ports: ports.value, workflow, options: loopOptions(options) }, until)
    return end.ok ? ok({ end: end.value, list: workflow.list(), isAsked: stop.requested() }) : end
  } finally {
    await box.value.dispose()
    stop.close()
    opened.journal.close()
  }
}

/** What agents run inside, and why in nothing stronger: recorded before the first of them starts. */
function sayIsolation(
  journal: StartedRun['journal'],
  { isolation, passedOver }: RunTools,
  show: LoopPorts['show'],
): Result<void, Failure> {
  const { name: backend, boxed, description } = isolation
  const recorded = journal.append({
    kind: 'isolation.chosen',
    backend,
    boxed,
    description,
    passedOver: passedOver.map(({ backend: other, why }) => ({ backend: other, why })),
  })
  if (!recorded.ok) return recorded
  if (journal.state !== null) show.event(recorded.value, journal.state)
  return ok(undefined)
}

const requestOf = ({ project, clock, tools, input }: Preparation) => ({
  project,
  clock,
  git: tools.git,
  env: input.env,
})

const lockLost = ({ state }: Project): Failure => ({
  reason: 'locked',
  path: state.lock,
  holder: 'somebody else: the lock was taken away from this run',
  fix: 'Leave it to them, or stop them and run "ralph run" again.',
})

/** Until the open iteration is taken up, nobody asks for a list. */
const emptyList: TaskList = { project: '', branchName: '', description: '', userStories: [] }

const dirtyOf = (options: JsonObject): string[] =>
  Array.isArray(options['dirtyPaths']) ? options['dirtyPaths'].filter((path) => typeof path === 'string') : []

/** What changed between runs is theirs who changed it; one line names it. */
async function sayWhatPeopleDid(
  { display, settings }: Preparation,
  { referee }: StartedRun,
  { list, previous }: { readonly list: TaskList; readonly previous: RunState },
): Promise<void> {
  const ids = await approvedByHand(list, previous, { referee, ralphDir: settings.options.ralphDir })
  if (ids.length > 0) display.remark(`Approved by hand since the last run: ${ids.join(', ')}.`)
}
