import { visibleLine } from '../base/visible.ts'
import type { Recorded } from '../model/event.ts'
import { describeEvent } from '../terminal/describe-event.ts'

/** One line an event with its time, and a line for each new day. In UTC, as in the journal: a log is compared with others. */
export function logLines(): (event: Recorded) => string[] {
  let day = ''
  return (event) => {
    const words = describeEvent(event)
    if (words === null) return []
    const [date = '', time = ''] = visibleLine(event.at, 40).split('T')
    const line = `${time.slice(0, 8)}  ${words}`
    if (date === day) return [line]
    day = date
    return [`${date} (UTC)`, line]
  }
}
