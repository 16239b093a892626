import type { Marker } from '../../tasks/marker.ts'
import type { AskGit } from './git-in.ts'
import { isRunAlive } from './is-run-alive.ts'

/** A session in the directory of a marker. */
export interface Session {
  readonly id: string
  /** `RALPH_RUN_ID` of its environment. */
  readonly runId: string | undefined
  /** Asked only where the rest does not decide. */
  readonly git: AskGit
}

/** Whether a session is the one that the marker speaks of. */
export function isOurs(
  { sessionId = '', runId = '', pid }: Partial<Marker>,
  { id, runId: own, git }: Session,
): boolean {
  const isOfRun = runId !== '' && runId === own
  const isNamed = sessionId !== ''
  if (isNamed ? sessionId !== id : runId !== '' && !isOfRun && !isRunAlive(pid)) return false
  // A marker in a commit came with a clone, and nobody runs here; or an agent has committed its own, to be rid of it.
  return (isNamed && isOfRun) || (git(['ls-files', '-z', '--', '.ralph-active']) ?? '') === ''
}
