import type { JsonObject } from '../../base/json.ts'
import { isLoopSession } from '../loop/is-loop-session.ts'
import { markerIn } from '../loop/marker-in.ts'
import { alertText, nextLook, reachedThreshold, rearmLevel, thresholds } from './alert.ts'
import { readContext, type Transcript } from './read-context.ts'
import { openSessionState, type SessionState } from './session-state.ts'
import { windowSize } from './window-size.ts'

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
  const said = watch(readSettled(path, text(input['tool_use_id']), env), {
    path,
    state,
    env,
    isLoop: () => isLoopSession(session, { env, loop, marker: markerIn(loop) }),
  })
  return said === null
    ? null
    : {
        hookSpecificOutput: {
          hookEventName: event === 'PostToolUseFailure' ? event : 'PostToolUse',
          additionalContext: said,
        },
      }
}

const patienceMs = 200
const pollMs = 10

/** Waits for the message that made the call, if Claude Code is there to write it. */
function readSettled(path: string, call: string, env: NodeJS.ProcessEnv): Transcript {
  for (let patience = text(env['CLAUDE_PID']) === '' ? 0 : patienceMs; ; patience -= pollMs) {
    const seen = readContext(path, patience > 0 ? call : '')
    if (seen.kind !== 'known' || seen.isCurrent || patience <= 0) return seen
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
}

interface Watched {
  readonly path: string
  readonly state: SessionState
  readonly env: NodeJS.ProcessEnv
  readonly isLoop: () => boolean
}

function watch(transcript: Transcript, { path, state, env, isLoop }: Watched): string | null {
  // Whatever it is that comes, it has to be looked at.
  if (transcript.kind === 'none') state.holds(path, 0, 1)
  if (transcript.kind !== 'known') return null
  const { tokens, isEstimate } = transcript
  const window = windowSize(env, transcript.model, tokens)
  for (const threshold of state.fired()) {
    if (tokens <= rearmLevel(threshold, window)) state.rearm(threshold)
  }
  const reached = reachedThreshold(tokens, window)
  const isNew = reached !== null && !state.fired().includes(reached)
  const inLoop = isNew && isLoop()
  let speaks = false
  if (isNew && (inLoop || env['RALPH_CONTEXT_ALERTS'] !== 'loop')) {
    // The highest first: of calls that end together only one gets it, and only that one speaks.
    speaks = state.fire(reached)
    for (const lower of thresholds) if (lower < reached) state.fire(lower)
  }
  const highest = state.fired().at(-1)
  state.holds(path, highest === undefined ? 0 : rearmLevel(highest, window), nextLook(tokens, window))
  return speaks && reached !== null ? alertText(reached, { tokens, window, inLoop, isEstimate }) : null
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
