import { gitIn } from './git-in.ts'
import { isOurs } from './is-ours.ts'
import type { markerIn } from './marker-in.ts'

const gitTimeoutMs = 3000

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  /** The directory with the marker, or ''. */
  readonly loop: string
  readonly marker: ReturnType<typeof markerIn>
}

/** Whether a runner started this session, directly or through the agent, and not a user who works beside the loop. */
export function isLoopSession(session: string, { env, loop, marker }: Surroundings): boolean {
  const runId = env['RALPH_RUN_ID'] ?? ''
  if (runId !== '' || marker === null) return runId !== ''
  return isOurs(marker, { id: session, runId, git: gitIn(loop, env, gitTimeoutMs) })
}
