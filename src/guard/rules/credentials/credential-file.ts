import { credentialAt } from '../../credential-path.ts'
import type { Rule } from '../../rule.ts'
import { shownPath } from '../../shown-path.ts'
import type { How } from '../../touch.ts'

const verbs: Readonly<Record<How, string>> = { read: 'read', write: 'change', remove: 'remove', sweep: 'change' }

export const credentialFile: Rule = {
  name: 'credential-file',
  category: 'credentials',
  why: 'What is in it opens other doors, and whatever you read can end up in a log or a commit.',
  instead:
    'Work without it: programs read their keys themselves, and names of settings are in an example file such as `.env.example`.',
  forbidsTouch({ path, how, isLinked = false }, place) {
    const found = credentialAt(path, place)
    // A project's own settings may be written; what is in them is not to be seen or lost.
    if (found === null || (found === 'secret' && !isLinked && (how === 'write' || how === 'sweep'))) return null
    return `would ${isLinked ? 'give another name to' : verbs[how]} ${shownPath(path)}, where credentials are`
  },
  forbids({ name, writes }, place) {
    const emptied = name === '' ? writes.find((path) => credentialAt(path, place) !== null) : undefined
    return emptied === undefined ? null : `would empty ${shownPath(emptied)}, where credentials are`
  },
}
