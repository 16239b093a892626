import { minuteTime } from './clock-time.ts'

/** What follows "waiting for"; the loop names the reasons, and a later version may know more. */
export function waitWords(reason: string): string {
  switch (reason) {
    case 'usage-limit':
      return 'the usage limit to reset'
    case 'overloaded':
      return 'the overloaded service'
    default:
      return reason
  }
}

/** `, until 02:27`, or nothing where nobody knows. */
export function untilWords(until: string | null): string {
  const time = until === null ? null : minuteTime(until)
  return time === null ? '' : `, until ${time}`
}
