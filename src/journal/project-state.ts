import { join } from 'node:path'
import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { makePrivateDirectory } from '../store/private-directory.ts'

/** The files of one project's state. */
export interface ProjectPaths {
  readonly directory: string
  readonly lock: string
  readonly control: string
  readonly runs: string
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

/** Makes the directories that the lock and the runs need; 0700. */
export function prepareProject(project: ProjectPaths): Result<void, Failure> {
  const made = makePrivateDirectory(project.directory)
  return made.ok ? makePrivateDirectory(project.runs) : made
}
