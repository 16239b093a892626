import type { Event } from '../model/event.ts'
import { formatTook } from './format-amounts.ts'

/** What stands behind the command of a check: `(1.2 s)`, or `(exit 1, 99 ms), see checks/2.log`. */
export function checkWords(event: Extract<Event, { kind: 'check.finished' }>): string {
  const { exitCode, durationMs, log, decides } = event
  const facts = [
    // Without an exit code it did not end by itself.
    ...(exitCode === 0 ? [] : [exitCode === null ? 'did not end' : `exit ${exitCode}`]),
    formatTook(durationMs),
    ...(decides ? [] : ['decides nothing yet']),
  ]
  return `(${facts.join(', ')})${exitCode === 0 ? '' : `, see ${log}`}`
}
