import type { AgentOutcome } from '../model/event.ts'

/** What follows "the agent". */
export const outcomeWords: Readonly<Record<AgentOutcome, string>> = {
  succeeded: 'finished',
  failed: 'failed',
  timeout: 'ran out of time',
  silent: 'was silent for too long',
  empty: 'gave an empty answer',
  'usage-limit': 'reached its usage limit',
  overloaded: 'met an overloaded service',
  'not-logged-in': 'is not logged in',
  unavailable: 'could not be started',
  interrupted: 'was interrupted',
}
