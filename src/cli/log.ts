import { err, ok, type Result } from '../base/result.ts'
import { visibleJson } from '../base/visible.ts'
import { lookAtProject } from '../journal/look-at-project.ts'
import { runPaths, type ProjectPaths } from '../journal/project-state.ts'
import { readJournalIfAny } from '../journal/read-journal.ts'
import { listRuns } from '../journal/runs.ts'
import type { Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import { thisHost } from '../store/host.ts'
import type { ExitCode, Output, RunCommand } from './command.ts'
import { followRun } from './follow-run.ts'
import { logLines } from './log-lines.ts'
import { nextStep } from './next-step.ts'
import { nothingHere } from './nothing-here.ts'
import { openProject, type Project } from './project.ts'
import { readPrompt } from './read-prompt.ts'
import { understandLog, type LogWanted } from './understand-log.ts'

/** The journal in words, or as it is. Only reads. */
export const log: RunCommand = async ({ options, cwd, env, output }) => {
  const wanted = understandLog(options)
  if (!wanted.ok) return wanted
  const project = openProject({ cwd, env, projectDir: options['projectDir'] })
  if (!project.ok) return project
  const runs = runsToShow(project.value.state, wanted.value)
  if (!runs.ok) return runs
  const show = { ...wanted.value, project: project.value, output }
  if (show.isFollow) return follow(show)
  return show.prompt === null ? showEvents(show, runs.value) : showPrompt(show, show.prompt)
}

interface Show extends LogWanted {
  readonly project: Project
  readonly output: Output
}

/** The newest first, or the one that was asked for. */
function runsToShow(project: ProjectPaths, { runId }: LogWanted): Result<readonly string[], Failure> {
  const runs = listRuns(project)
  if (!runs.ok) return runs
  const newestFirst = runs.value.toReversed()
  if (runId === null) return ok(newestFirst)
  if (newestFirst.includes(runId)) return ok([runId])
  return err({
    reason: 'usage',
    message: `There is no run ${runId} here.`,
    fix: newestFirst.length === 0 ? 'There is none at all.' : `The last are ${newestFirst.slice(0, 3).join(', ')}.`,
  })
}

/** Of the first run that has recorded anything: a start that died at once has not. */
function showEvents(show: Show, runs: readonly string[]): Result<ExitCode, Failure> {
  const { root, state } = show.project
  for (const runId of runs) {
    const read = readJournalIfAny(runPaths(state, runId).journal, printer(show))
    if (!read.ok) return read
    if ((read.value?.seq ?? 0) > 0) return ok(0)
  }
  show.output.remark(runs.length === 0 ? nothingHere(root) : 'Nothing was recorded.')
  return ok(0)
}

function showPrompt({ project: { root, state }, runId, output }: Show, iteration: number): Result<ExitCode, Failure> {
  const look = runId === null ? lookAtProject(state, thisHost()) : ok({ runId })
  if (!look.ok) return look
  if (look.value.runId === null) {
    output.remark(nothingHere(root))
    return ok(0)
  }
  const text = readPrompt(runPaths(state, look.value.runId), look.value.runId, iteration)
  if (!text.ok) return text
  output.line(text.value)
  return ok(0)
}

async function follow(show: Show): Promise<Result<ExitCode, Failure>> {
  const { output } = show
  const ended = await followRun({
    project: show.project.state,
    host: thisHost(),
    runId: show.runId,
    each: printer(show),
    onWaiting: () => output.remark('No run has started here yet: waiting for one. Ctrl+C ends the waiting.'),
    isClosed: () => output.isClosed?.() === true,
  })
  if (!ended.ok) return ended
  if (ended.value === 'crashed') output.remark(`The run has crashed. ${nextStep('crashed', null)}`)
  return ok(0)
}

function printer({ isJson, output }: Show): (event: Recorded) => void {
  if (isJson) return (event) => output.line(visibleJson(JSON.stringify(event)))
  const lines = logLines()
  return (event) => {
    for (const line of lines(event)) output.line(line)
  }
}
