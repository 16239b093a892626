import { writeSync } from 'node:fs'
import { openJournal } from '../../../src/journal/open-journal.ts'
import { eventAt } from '../events.ts'

/**
 * `journal-writer PATH COUNT`: goes on with a journal until it has COUNT records. Prints the number of each one that was
 * acknowledged, and `! CODE` for each failure; gives up after three in a row.
 */
const [path = '', count = '0'] = process.argv.slice(2)
const opened = openJournal(path, { clock: { now: () => 0, elapsed: () => 0 } })
if (!opened.ok) {
  writeSync(1, `! ${'code' in opened.error ? opened.error.code : opened.error.reason}\n`)
} else {
  const journal = opened.value
  for (let failures = 0; journal.seq < Number(count) && failures < 3;) {
    const recorded = journal.append(eventAt(journal.seq + 1))
    failures = recorded.ok ? 0 : failures + 1
    if (recorded.ok) writeSync(1, `${recorded.value.seq}\n`)
    else writeSync(1, `! ${'code' in recorded.error ? recorded.error.code : recorded.error.reason}\n`)
  }
  journal.close()
}
