import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import { openReferee } from '../git/open-referee.ts'
import type { Failure } from '../model/failure.ts'
import { reduce, type RunState } from '../model/run-state.ts'
import { readSmall } from '../store/read-small.ts'
import { recallCheck } from '../checks/recall-check.ts'
import type { StoriesPorts } from '../workflows/stories-ports.ts'
import { storiesWorkflow } from '../workflows/stories.ts'
import { isCutOff, type RunChoice } from './choose-run.ts'
import type { ExitCode } from './command.ts'
import { describeStart } from './describe-start.ts'
import { earlierBases } from './earlier-bases.ts'
import { defaultTemplate } from './installation-files.ts'
import { ownFiles } from './open-run.ts'
import type { Preparation } from './run-stories.ts'
import { readStartList } from './start-list.ts'
import { version } from './version.ts'

const dryRunId = '20000101-000000-00000000'

/** Says what would be run, with the first prompt, and leaves no trace: what a run would write goes nowhere. */
export async function dryRun(preparation: Preparation, choice: RunChoice): Promise<Result<ExitCode, Failure>> {
  const { project, settings, tools, input, clock } = preparation
  const { options } = settings
  const { output } = input
  if (choice.kind === 'resume') {
    const { runId, state } = choice.run
    const first = isCutOff(state) ? ' What was left when it was cut off would be judged first.' : ''
    output.line(`Run ${runId} would go on after iteration ${state.iteration}.${first}`)
    if (isCutOff(state)) return ok(0)
  } else if (choice.unjudged !== null) {
    output.line(`What run ${choice.unjudged.runId} left when it was cut off would be judged first.`)
    return ok(0)
  }
  const start = readStartList(project, options)
  if (!start.ok) return start
  const directory = mkdtempSync(join(tmpdir(), 'ralph-dry-run-'))
  try {
    const referee = await openReferee({
      project: project.root,
      stateDir: directory,
      git: tools.git,
      runId: dryRunId,
      environment: input.env,
      ignore: ownFiles(options.ralphDir),
    })
    if (!referee.ok) return referee
    const { list } = start.value
    const branch = options.noBranch ? referee.value.baseline.branch : list.branchName
    output.line(`Isolation: ${tools.isolation.description}.`)
    for (const line of describeStart(preparation, {
      list,
      branch,
      used: choice.kind === 'resume' ? choice.run.state.iteration : 0,
    }))
      output.line(line)
    const { skipReview } = options
    const bases = (previous: RunState | null) => earlierBases(list, previous, { referee: referee.value, skipReview })
    const nothing = () => ok(undefined)
    const later = () => Promise.resolve(ok(undefined))
    const ports: StoriesPorts = {
      clock,
      // Nothing is brought to the branch.
      referee: { ...referee.value, deliver: () => Promise.resolve(ok([])) },
      runId: dryRunId,
      pid: process.pid,
      boxed: tools.isolation.boxed,
      options,
      defaultTemplate: defaultTemplate(),
      dirtyPaths: [],
      files: { read: (path) => readSmall(project.root, path), write: nothing, show: later, remove: nothing },
      check: () => {
        throw new Error('a dry run checks nothing')
      },
      recall: (check) => recallCheck(check, { project: project.root, maxOutputChars: options.outputTruncateChars }),
      publishLog: () => null,
      saveTakenOut: nothing,
      showsWork: (mode) => tools.agents[mode].agent.showsWork,
      freshBox: later,
      placeInstructions: later,
      newNonce: () => '0'.repeat(32),
      sha256: () => '',
      remark: (text) => output.line(text),
      stop: new AbortController().signal,
    }
    const workflow = storiesWorkflow(ports, list)
    // Who only looks removes no locks of others.
    const state =
      choice.kind === 'resume'
        ? { ...choice.run.state, isResumed: false }
        : firstState(preparation, await bases(choice.previous))
    const steps = workflow.open(state)
    for (let step = await steps.next(); ; step = await steps.next()) {
      if (step.done !== true) continue
      if (!step.value.ok) return step.value
      break
    }
    const plan = workflow.plan(state)
    if (plan.kind !== 'iterate') {
      const why =
        plan.kind === 'stop'
          ? `${plan.reason}: ${plan.details.join('; ')}`
          : 'every story is done, and the checks would be run'
      output.line(`No agent would be started: ${why}.`)
      return ok(0)
    }
    const { mode, story } = plan
    const iteration = state.iteration + 1
    const started = await workflow.start({ iteration, mode, story, sessionId: '' }, state)
    if (!started.ok) return started
    const { name } = tools.agents[mode ?? 'implement'].agent
    output.line(
      `Iteration ${iteration} would be ${mode} ${story} by ${name}, with this prompt:\n\n${started.value.prompt}`,
    )
    return ok(0)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function firstState({ project, clock }: Preparation, bases: Readonly<Record<string, string>>): RunState {
  const at = new Date(clock.now()).toISOString()
  const started = {
    kind: 'run.started' as const,
    bases,
    artefacts: [],
    runId: dryRunId,
    workflow: 'stories' as const,
    project: project.root,
    version,
    options: {},
  }
  return reduce(null, { ...started, seq: 1, at })
}
