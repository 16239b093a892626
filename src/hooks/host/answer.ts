import { writeSync } from 'node:fs'
import { visibleLine } from '../../base/visible.ts'
import type { JsonObject } from '../../base/json.ts'
import { readInput } from './read-input.ts'

/** What a hook does with what Claude Code told it: the object it answers with, or null for no word at all. */
export type Handle = (input: JsonObject) => JsonObject | null

/**
 * Runs a hook. What cannot be read and a bug of ours leave the session alone: one line on stderr, and the exit code that
 * says so, which is 0 except for the guard.
 */
export function answer(name: string, handle: Handle, codeOfTrouble: () => 0 | 2 = () => 0): void {
  try {
    const input = readInput()
    if (!input.ok) return complain(`stdin is ${input.error}`)
    const said = handle(input.value)
    if (said !== null) writeSync(1, `${JSON.stringify(said)}\n`)
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
  }

  function complain(what: string): void {
    writeSync(2, `ralph ${name}: ${visibleLine(what, 500)}\n`)
    process.exitCode = codeOfTrouble()
  }
}
