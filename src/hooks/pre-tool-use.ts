import { dirname } from 'node:path'
import { isObject, parseJson, type Json, type JsonObject } from '../base/json.ts'
import { visibleLine } from '../base/visible.ts'
import { readRegular } from '../git/disk.ts'
import { decide } from '../guard/decide.ts'
import { readToolCall } from '../guard/tool-call.ts'
import { placeOfCall } from './guard/place-of-call.ts'
import { answer } from './host/answer.ts'

/** What the launcher takes for an answer of the guard: a program that is not the guard does not know it. */
const answered = 10
const maxMarkerBytes = 8 * 1024 * 1024

const env = process.env
const [, bundle = '', loop = ''] = process.argv
const isRun = (env['RALPH_RUN_ID'] ?? '') !== ''
const isStrict = isRun || env['RALPH_GUARD'] === 'always'

function guard(input: JsonObject): JsonObject | null {
  // The runner's own variables say all there is to know, and nobody in the loop can change them.
  const isTold = isRun && (env['RALPH_DIR'] ?? '') !== ''
  const marker = loop === '' || isTold ? {} : markerIn(loop)
  const session = textOf(marker['sessionId'])
  const isInLoop = isRun || (session !== '' && session === input['session_id'])
  if (!isInLoop && !isStrict) return null
  try {
    const plugin = dirname(dirname(dirname(bundle)))
    const place = placeOfCall({ env, input, loop, isInLoop, ralphDir: textOf(marker['ralphDir']), plugin })
    const decision = decide(readToolCall(input), place)
    return decision.decision === 'allow' ? null : denial(decision.reason)
  } catch (error) {
    // A bug of ours must not open what is guarded.
    const what = visibleLine(error instanceof Error ? error.message : String(error))
    return denial(
      `Ralph's guard denied this call: it failed (${what}). Say it in a simpler way, or stop here and say so.`,
    )
  }
}

/** Empty where it cannot be read: then whoever is not marked by the runner's variables is left alone. */
function markerIn(directory: string): JsonObject {
  const bytes = readRegular(`${directory}/.ralph-active`, maxMarkerBytes)
  const read = bytes === null ? null : parseJson(bytes.toString('utf8'))
  return read?.ok === true && isObject(read.value) ? read.value : {}
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const denial = (reason: string): JsonObject => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
})

answer('guard', guard, isStrict ? 2 : 0)
if (isStrict && process.exitCode === undefined) process.exitCode = answered
