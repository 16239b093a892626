import { unreachable } from '../base/unreachable.ts'
import type { VersionAnswer } from './ask-version.ts'
import type { Finding } from './finding.ts'

/** What an answer says about the program. `against`: why a version does not work here, as a phrase; null if it does. */
export function judgeVersion(
  answer: VersionAnswer,
  against: (version: string) => string | null,
): Pick<Finding, 'state' | 'version' | 'why'> {
  switch (answer.kind) {
    case 'version': {
      const why = against(answer.version)
      return { state: why === null ? 'ok' : 'old', version: answer.version, why }
    }
    case 'none':
      return { state: 'unknown', version: null, why: 'it did not say which version it is' }
    case 'too-slow':
      return { state: 'unknown', version: null, why: `it said no version within ${answer.timeoutMs / 1000} s` }
    case 'failed':
      return { state: 'bad', version: null, why: `asked for its version, ${answer.how}` }
    case 'not-asked':
      return { state: 'unknown', version: null, why: null }
    default:
      return unreachable(answer)
  }
}
