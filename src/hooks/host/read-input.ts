import { isObject, parseJson, type JsonObject } from '../../base/json.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { readAll } from './read-all.ts'

/** More than any tool answers; a process without end must not fill the memory. */
const maxInputBytes = 128 * 1024 * 1024

/** The one object that Claude Code gives a hook on stdin; else why it is none. */
export function readInput(): Result<JsonObject, string> {
  const text = readAll(0, { maxBytes: maxInputBytes })
  if (!text.ok) return text
  // Keys inside of a tool's input are the model's, and nothing here is merged.
  const parsed = parseJson(text.value, { anyKey: true })
  if (!parsed.ok) return err(parsed.error)
  return isObject(parsed.value) ? ok(parsed.value) : err('not a JSON object')
}
