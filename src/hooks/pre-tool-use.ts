import { dirname } from 'node:path'
import type { Json, JsonObject } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import { activeRules } from '../guard/active-rules.ts'
import { decide } from '../guard/decide.ts'
import { readToolCall } from '../guard/tool-call.ts'
import { placeOfCall } from './guard/place-of-call.ts'
import { answer } from './host/answer.ts'
import { isLoopSession } from './loop/is-loop-session.ts'
import { markerIn } from './loop/marker-in.ts'

/** What the launcher takes for an answer of the guard: a program that is not the guard does not know it. */
const answered = 10

const env = process.env
// The launcher waits for that answer where it knows that the session is a loop's, or that the user wants it everywhere.
const [, bundle = '', loop = '', waits = ''] = process.argv
const isEverywhere = env['RALPH_GUARD'] === 'always'
// The runner's own variables say all there is to know, and nobody in the loop can change them.
const isTold = (env['RALPH_RUN_ID'] ?? '') !== '' && (env['RALPH_DIR'] ?? '') !== ''
const marker = isTold ? null : markerIn(loop)

function guard(input: JsonObject): JsonObject | null {
  const isInLoop = isLoopSession(textOf(input['session_id']), { env, loop, marker })
  if (!isInLoop && !isEverywhere) return null
  try {
    const plugin = dirname(dirname(dirname(bundle)))
    const place = placeOfCall({ env, input, loop, isInLoop, ralphDir: marker?.ralphDir ?? '', plugin })
    const allow = (env['RALPH_GUARD_ALLOW'] ?? '').split(',')
    const active = activeRules({ isolation: env['RALPH_ISOLATION'] ?? '', allow })
    const decision = decide(readToolCall(input), place, active)
    return decision.decision === 'allow' ? null : denial(decision.reason)
  } catch (error) {
    // A bug of ours must not open what is guarded.
    const what = visibleLine(error instanceof Error ? error.message : String(error))
    return denial(
      `Ralph's guard denied this call: it failed (${what}). Say it in a simpler way, or stop here and say so.`,
    )
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const denial = (reason: string): JsonObject => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
})

/** What nobody can read is denied in a loop; whose session it is, then only the variable tells. */
const isHeld = (): boolean => waits !== '' || isLoopSession(env['CLAUDE_CODE_SESSION_ID'] ?? '', { env, loop, marker })

answer('guard', guard, () => (isHeld() ? 2 : 0))
if (waits !== '' && process.exitCode === undefined) process.exitCode = answered
