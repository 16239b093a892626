import { unreachable } from '../base/unreachable.ts'
import type { AgentExit, AgentReport } from './agent.ts'

/** How a run ended that did not end well: the part of a report that says so. */
export type AgentTrouble = Pick<AgentReport, 'outcome' | 'message' | 'fix' | 'resetsAt'>

/** Trouble that only has a name and a line of text. */
export function trouble(outcome: AgentTrouble['outcome'], message: string, fix: string | null = null): AgentTrouble {
  return { outcome, message, fix, resetsAt: null }
}

/** A run that the runner ended: whatever the stream says, this is why. Null for one that ended by itself. */
export function endedByRunner(exit: AgentExit): AgentTrouble | null {
  switch (exit.cause) {
    case 'timeout':
      return trouble('timeout', 'took longer than an iteration may', 'give it more with --iteration-timeout')
    case 'silent':
      return trouble('silent', 'said nothing for too long', 'give it more with --silence-timeout')
    case 'aborted':
      return trouble('interrupted', 'was interrupted')
    case 'exited':
      return null
    default:
      return unreachable(exit.cause)
  }
}

/** How a process ended, as the end of a sentence. */
export function exitPhrase({ exitCode, signal }: AgentExit): string {
  return signal === null ? `exited with ${exitCode ?? 'no code'}` : `was ended by ${signal}`
}
