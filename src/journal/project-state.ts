import { dirname, join } from 'node:path'
import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { makePrivateDirectory } from '../store/private-directory.ts'

/** The files of one project's state. */
export interface ProjectPaths {
  readonly directory: string
  readonly lock: string
  readonly control: string
  readonly runs: string
  /** What agents get from the runner, wherever they run: `given` to read, `homes` to write. New for each start. */
  readonly given: string
  readonly homes: string
}

/** The files of one run. */
export interface RunPaths {
  readonly directory: string
  readonly journal: string
  /** The referee's own repository: snapshots as trees. */
  readonly refereeGit: string
  /** Raw output, errors and prompt of each agent start. */
  readonly iterations: string
  /** What the referee took out, by iteration. */
  readonly rejected: string
}

export function projectPaths(directory: string): ProjectPaths {
  return {
    directory,
    lock: join(directory, 'lock'),
    control: join(directory, 'control'),
    runs: join(directory, 'runs'),
    given: join(directory, 'box', 'given'),
    homes: join(directory, 'box', 'homes'),
  }
}

export function runPaths(project: ProjectPaths, runId: string): RunPaths {
  const directory = join(project.runs, runId)
  return {
    directory,
    journal: join(directory, 'journal.ndjson'),
    refereeGit: join(directory, 'referee.git'),
    iterations: join(directory, 'iterations'),
    rejected: join(directory, 'rejected'),
  }
}

/** Makes the directories that the lock, the runs and the agents need; 0700. */
export function prepareProject(project: ProjectPaths): Result<void, Failure> {
  const { directory, runs, given, homes } = project
  for (const path of [directory, runs, dirname(given), given, homes]) {
    const made = makePrivateDirectory(path)
    if (!made.ok) return made
  }
  return ok(undefined)
}
