import type { JsonObject } from '../base/json.ts'
import type { Snapshot } from '../model/snapshot.ts'
import { listOf, putBack, refuse, reject, type Context } from './draft.ts'
import type { SettledList } from './settle-list.ts'

/** Each is run again and again, and may take its ten minutes. */
const maxNewCommands = 50

/** However they are spread over the list and its stories, in one iteration. Only the runner, who has to run them, counts. */
export function limitNewCommands(before: Snapshot, { document, top, drafts }: SettledList, context: Context): void {
  if (document === null) return
  const message = `more than ${maxNewCommands} new verifyCommands. Take them out.`
  let count = 0
  const areTooMany = (out: JsonObject, known: readonly string[] | undefined): boolean => {
    // An older marker does not know them.
    if (known === undefined) return false
    const added = Math.max(0, listOf(out['verifyCommands']).length - known.length)
    count += added
    return added > 0 && count > maxNewCommands
  }
  if (areTooMany(top, before.top.verifyCommands)) {
    reject(context, 'verify-commands', null, `tasks.json: ${message}`, 'verifyCommands')
    putBack({ id: 'tasks.json', before, original: before.list, out: top }, ['verifyCommands'], context.ledger)
  }
  for (const draft of drafts.values()) {
    if (!areTooMany(draft.out, draft.before === null ? [] : draft.before.verifyCommands)) continue
    refuse(context, draft, 'verify-commands', `Story ${draft.id}: ${message}`, 'verifyCommands')
  }
}
