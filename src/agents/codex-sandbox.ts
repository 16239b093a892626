import type { JsonObject } from '../base/json.ts'
import { firstLine } from './cut-text.ts'

/** What helps where codex cannot make its sandbox. */
export const sandboxFix =
  'let users make namespaces (on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0), or run it in a box'

/**
 * Why the sandbox of codex cannot be made here, by its first command; null if it can. Codex takes that for a command that failed,
 * and then each of them does: it would say that it is done with nothing done, again and again.
 */
export function sandboxBroken({ exit_code: exitCode, aggregated_output: output }: JsonObject): string | null {
  if (exitCode === 0 || typeof output !== 'string') return null
  const words = /^bwrap: .*(?:namespace|not permitted|permission denied|\/proc\/sys|uid map|loopback)/i.exec(
    output.slice(0, 1000),
  )
  return words === null ? null : `its own sandbox does not work on this machine: ${firstLine(words[0])}`
}
