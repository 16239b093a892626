import type { CheckResult } from '../model/check-result.ts'
import { cannotStart } from './cannot-start.ts'
import { readLogEnds } from './check-log.ts'
import { endBytesFor, shortenOutput } from './shorten-output.ts'

/** A check that an earlier process of this run ran, from what is in the journal and its log. */
export function recallCheck(
  ran: { readonly command: string; readonly exitCode: number | null; readonly log: string },
  { project, maxOutputChars }: { readonly project: string; readonly maxOutputChars: number },
): CheckResult {
  const { command, exitCode, log } = ran
  const ends = readLogEnds(log, endBytesFor(maxOutputChars))
  const output = ends === null ? '[its log cannot be read any more]' : shortenOutput(ends, maxOutputChars)
  return {
    command,
    exitCode,
    durationMs: 0,
    log,
    output,
    trouble: exitCode === null ? 'did not end by itself' : null,
    cannotStart: cannotStart(exitCode, output, project),
  }
}
