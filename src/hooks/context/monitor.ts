import type { JsonObject } from '../../base/json.ts'
import { alertText, reachedThreshold, roomToNext, thresholds } from './alert.ts'
import { isLoopSession } from './is-loop-session.ts'
import { readContext, type Transcript } from './read-context.ts'
import { openSessionState, type SessionState } from './session-state.ts'
import { windowSize } from './window-size.ts'

/** The size that an unknown context is looked at again after: a tenth of the smallest window, a token being at least a byte. */
const lookAgainBytes = 20_000

/** What a session is told about its context: at each threshold once, and again after a compaction. */
export function monitor(input: JsonObject, env: NodeJS.ProcessEnv, loop: string): JsonObject | null {
  const event = text(input['hook_event_name'])
  // The launcher looks for the state by the variable, so it goes first.
  const session = text(env['CLAUDE_CODE_SESSION_ID']) || text(input['session_id'])
  const state = openSessionState(session, env)
  // Without memory an alert would come at every call.
  if (state === null) return null
  if (event === 'SessionStart') {
    state.forget()
    return null
  }
  // The words would reach the subagent, whose own context this is not.
  if (typeof input['agent_id'] === 'string') return null
  const path = text(input['transcript_path'])
  if (!path.startsWith('/') || path.includes('\0')) return null
  const said = watch(readContext(path), { path, state, env, isLoop: () => isLoopSession(env, loop, session) })
  return said === null
    ? null
    : {
        hookSpecificOutput: {
          hookEventName: event === 'PostToolUseFailure' ? event : 'PostToolUse',
          additionalContext: said,
        },
      }
}

interface Watched {
  readonly path: string
  readonly state: SessionState
  readonly env: NodeJS.ProcessEnv
  readonly isLoop: () => boolean
}

function watch(transcript: Transcript, { path, state, env, isLoop }: Watched): string | null {
  // The first byte of it is reason enough to look again.
  if (transcript.kind === 'none') return stay(1)
  const { size } = transcript
  if (transcript.kind === 'unknown') return stay(size + lookAgainBytes)
  const { tokens, bytesPerToken } = transcript
  const window = windowSize(env, transcript.model, tokens)
  for (const threshold of thresholds) {
    // Half of what was there is gone: a compaction, or a person went back in the conversation.
    if ((tokens / window) * 100 <= threshold / 2) state.rearm(threshold, size)
  }
  const reached = reachedThreshold(tokens, window)
  const next = size + Math.ceil(roomToNext(tokens, window) * bytesPerToken)
  if (reached === null || state.hasFired(reached)) return stay(next)
  const inLoop = isLoop()
  if (!inLoop && env['RALPH_CONTEXT_ALERTS'] === 'loop') return stay(next)
  // The highest first: of calls that end together only one gets it, and only that one speaks.
  const speaks = state.fire(reached, size)
  for (const lower of thresholds) if (lower < reached) state.fire(lower, size)
  stay(next)
  return speaks ? alertText(reached, { tokens, window, inLoop, isEstimate: bytesPerToken > 1 }) : null

  function stay(due: number): null {
    state.lookAt(path, due)
    return null
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
