import type { Rule } from '../../rule.ts'
import { one, star, unknown } from '../../shell/pattern.ts'
import { removalsOf, removing } from '../../targets/removals.ts'

/** Where the unknown is empty, this is everything; behind it no name says what is meant. */
const unseen = new RegExp(`^${unknown}+(?:(?:/[.${star}${one}${unknown}]*)*$|.*/\\.\\.(?:/|$))`, 'u')

export const removeUnseen: Rule = {
  name: 'remove-unseen',
  category: 'file-destruction',
  why: 'Nobody can tell beforehand what that removes; with an empty value it may be everything.',
  instead: 'Write down the paths that you mean.',
  get programs() {
    return removing.join(' ')
  },
  forbids(command) {
    for (const { path, isRecursive, isForced, only } of removalsOf(command)) {
      if (isRecursive && isForced && only === 'all' && unseen.test(path)) return 'would remove whatever it is given'
    }
    return null
  },
}
