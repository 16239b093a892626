import { createInterface } from 'node:readline'
import { isatty } from 'node:tty'
import type { Ask, Output } from './command.ts'

/** The person at the terminal; null where there is none. A question stands on a line of its own, the answer below it. */
export function openTerminal(output: Output): Ask | null {
  if (!isatty(0)) return null
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  return async (question) => {
    output.remark(question)
    // Only an open question keeps the program from ending.
    process.stdin.ref()
    const answer = await lines.next()
    process.stdin.unref()
    return answer.done === true ? null : answer.value.trim()
  }
}
