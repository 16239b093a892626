import { credentialAt } from '../../credential-path.ts'
import type { Rule } from '../../rule.ts'
import { shownPath } from '../../shown-path.ts'
import { inside } from '../../shell/inside.ts'
import type { Place } from '../../place.ts'
import { readFindCall } from '../../targets/find-call.ts'
import type { How } from '../../touch.ts'
import { locate } from '../../zone.ts'

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
    if (found === null || (found === 'certificate' && how !== 'read')) return null
    if (found === 'secret' && !isLinked && (how === 'write' || how === 'sweep')) return null
    return `would ${isLinked ? 'give another name to' : verbs[how]} ${shownPath(path)}, where credentials are`
  },
  forbids({ name, args, writes, directories }, place) {
    if (name === 'find' && looksForKeys(args, directories, place))
      return 'would look for credentials outside of the project'
    const emptied = name === '' ? writes.find((path) => credentialAt(path, place) !== null) : undefined
    return emptied === undefined ? null : `would empty ${shownPath(emptied)}, where credentials are`
  },
}

const keyNames =
  /^[*.]*(?:id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|kdbx|ppk)|env(?:\..*)?|ssh|aws|gnupg|netrc|git-credentials|(?:.*_)?credentials?(?:\..*|\*)?|.*passw(?:or)?ds?.*|.*secrets?.*)\*?$/i

/** In a project one may look for such names; elsewhere they are somebody else's. */
function looksForKeys(args: readonly string[], directories: readonly string[], place: Place): boolean {
  const isNamed = args.some((arg, index) => /^-i?name$/.test(args[index - 1] ?? '') && keyNames.test(arg))
  if (!isNamed) return false
  const zones = readFindCall(args)
    .roots.flatMap((root) => inside(directories, root))
    .map((path) => locate(path, place).zone)
  return zones.some((zone) => zone === 'above' || zone === 'home' || zone === 'system')
}
