import { visibleLine } from '../../base/visible.ts'
import type { Failure } from '../../model/failure.ts'
import { lastWords, type ClientAnswer, type VmClient } from './client.ts'

/** Something that the program could not do, in its own last words. */
export function vmFailure(
  { cli }: VmClient,
  doing: string,
  answer: ClientAnswer,
  fix = `Try the same by hand with "${cli.typed}", or run without it: --no-sandbox.`,
): Failure {
  return {
    reason: 'isolation-unavailable',
    why: `${cli.typed} could not ${doing}: ${visibleLine(lastWords(answer), 300)}.`,
    fix,
  }
}
