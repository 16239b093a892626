import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import { ok, type Result } from '../base/result.ts'
import { excludeOwnFiles } from '../git/exclude-own-files.ts'
import { openReferee } from '../git/open-referee.ts'
import type { Referee } from '../git/referee.ts'
import { openJournal, type Journal } from '../journal/open-journal.ts'
import { runPaths, type RunPaths } from '../journal/project-state.ts'
import { createRun, pruneRuns } from '../journal/runs.ts'
import type { Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import type { RunState } from '../model/run-state.ts'
import type { TaskList } from '../model/story.ts'
import type { RunOptions } from '../settings/run-options.ts'
import { earlierBases } from './earlier-bases.ts'
import type { Project } from './project.ts'
import { version } from './version.ts'

/** A run whose journal and repository are open. */
export interface OpenRun {
  readonly runId: string
  readonly paths: RunPaths
  readonly journal: Journal
  readonly referee: Referee
}

/** One that is on, with the record that this process began with. */
export interface StartedRun extends OpenRun {
  readonly started: Recorded
}

export interface OpenRunRequest {
  readonly project: Project
  readonly clock: Clock
  readonly git: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The runner's own files in a project: in no tree, in no status. Drafts are what a killed runner can leave. */
export const ownFiles = (ralphDir: string): string[] => [
  '.ralph-active',
  '.ralph/guardrail_*',
  ...['', `${ralphDir}/`, '.ralph/'].map((directory) => `${directory}.ralph-draft-*`),
]

/** Takes up a run that exists. */
export async function reopenRun(
  request: OpenRunRequest,
  { runId, ralphDir }: { readonly runId: string; readonly ralphDir: string },
): Promise<Result<OpenRun, Failure>> {
  const { project, clock } = request
  const paths = runPaths(project.state, runId)
  const journal = openJournal(paths.journal, { clock })
  if (!journal.ok) return journal
  const referee = await refereeFor(request, { runId, paths, ralphDir })
  if (!referee.ok) {
    journal.value.close()
    return referee
  }
  return ok({ runId, paths, journal: journal.value, referee: referee.value })
}

export interface NewRun {
  readonly options: RunOptions
  readonly dirtyPaths: readonly string[]
  /** What checks of the run before have made and is still there. */
  readonly artefacts: readonly string[]
  /** A resume asks whether its branch is still the same one. */
  readonly list: TaskList
  /** The last run before this one. */
  readonly previous: RunState | null
}

/** Makes a new run. Its first record comes last: a start that dies half way has left an empty directory. */
export async function beginRun(
  request: OpenRunRequest,
  { options, dirtyPaths, artefacts, list, previous }: NewRun,
): Promise<Result<StartedRun, Failure>> {
  const { project, clock } = request
  const { ralphDir, skipReview } = options
  const { branchName } = list
  const excluded = excludeOwnFiles(project.root, [...ownFiles(ralphDir), '.ralph/settings.local.json'])
  if (!excluded.ok) return excluded
  const runId = createRun(project.state, clock)
  if (!runId.ok) return runId
  const opened = await reopenRun(request, { runId: runId.value, ralphDir })
  if (!opened.ok) return opened
  const bases = await earlierBases(list, previous, { referee: opened.value.referee, skipReview })
  const started = opened.value.journal.append({
    kind: 'run.started',
    runId: runId.value,
    workflow: 'stories',
    project: project.root,
    version,
    options: { ...options, dirtyPaths, branchName } as unknown as JsonObject,
    bases,
    artefacts,
  })
  if (!started.ok) {
    opened.value.journal.close()
    return started
  }
  const pruned = pruneRuns(project.state, runId.value)
  return pruned.ok ? ok({ ...opened.value, started: started.value }) : pruned
}

function refereeFor(
  { project, git, env }: OpenRunRequest,
  { runId, paths, ralphDir }: { runId: string; paths: RunPaths; ralphDir: string },
) {
  return openReferee({
    project: project.root,
    stateDir: paths.directory,
    git,
    runId,
    environment: env,
    ignore: ownFiles(ralphDir),
  })
}
