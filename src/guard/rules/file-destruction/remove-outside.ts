import { shownPath } from '../../shown-path.ts'
import type { Rule } from '../../rule.ts'
import { removalsOf, removing, type Removal } from '../../targets/removals.ts'
import { locate, type Located, type Zone } from '../../zone.ts'

export const removeOutside: Rule = {
  name: 'remove-outside',
  category: 'file-destruction',
  why: 'Files outside of the project are not yours, and nothing brings them back.',
  instead: 'Remove only what is in the project, or what you made in a temporary directory.',
  get programs() {
    return removing.join(' ')
  },
  forbids(command, place) {
    if (command.name === 'rm' && command.args.includes('--no-preserve-root'))
      return 'would remove the root of all files'
    for (const removal of removalsOf(command)) {
      const located = locate(removal.path, place)
      if (isForeign(located, removal)) return `would remove ${shownPath(located.path)}`
    }
    return null
  },
}

function isForeign({ zone, isContent }: Located, { isRecursive, isForced, only }: Removal): boolean {
  if (foreign.has(zone)) return true
  if (zone === 'elsewhere') return isRecursive && isForced
  return zone === 'temporary-root' && isRecursive && !isContent && only === 'all'
}

const foreign: ReadonlySet<Zone> = new Set(['above', 'home', 'system', 'device'])
