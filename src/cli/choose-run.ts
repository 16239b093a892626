import type { ProjectLook } from '../journal/look-at-project.ts'
import type { RunState } from '../model/run-state.ts'

/** An earlier run that matters to this start. */
export interface EarlierRun {
  readonly runId: string
  readonly state: RunState
}

export type RunChoice =
  /** It was killed or interrupted, and goes on. */
  | { readonly kind: 'resume'; readonly run: EarlierRun }
  /** `unjudged`: that run was cut off in an iteration, or in its last checks; what they left is put right first. */
  | { readonly kind: 'new'; readonly unjudged: EarlierRun | null; readonly previous: RunState | null }

export interface RunWish {
  readonly fresh: boolean
  readonly ralphDir: string
  /** Of the list that is there now; null if it cannot be read. After an archive it is another one. */
  readonly branchName: string | null
}

/** Whether the last run here goes on, or a new one begins. */
export function chooseRun(
  { runId, run }: Pick<ProjectLook, 'runId' | 'run'>,
  { fresh, ralphDir, branchName }: RunWish,
): RunChoice {
  if (runId === null || run === null) return { kind: 'new', unjudged: null, previous: null }
  const isSame =
    run.workflow === 'stories' &&
    run.options['ralphDir'] === ralphDir &&
    // What was cut off may have broken the list; its run is known by its place alone.
    (isCutOff(run) || branchName === null || run.options['branchName'] === branchName)
  const canGoOn = run.stopped === null || run.stopped.reason === 'interrupted'
  if (!fresh && isSame && canGoOn) return { kind: 'resume', run: { runId, state: run } }
  return { kind: 'new', unjudged: isUnsettled(run) ? { runId, state: run } : null, previous: run }
}

/** It ended while code of an agent's was running, and nobody has looked since. */
export const isCutOff = ({ open, completing }: RunState): boolean => open !== null || completing !== null

/** Or moves of the runner's are recorded and not written: nobody else would know of them. */
export const isUnsettled = (run: RunState): boolean => isCutOff(run) || run.stories.pending.length > 0
