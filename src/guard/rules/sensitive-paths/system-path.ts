import type { Rule } from '../../rule.ts'
import { shownPath } from '../../shown-path.ts'
import { locate } from '../../zone.ts'

/** There, anybody may keep files. */
const free = /^\/(?:mnt|media|srv|opt|volumes|run\/user|private\/tmp)\/|^\/proc\/self\/(?:fd\/|oom_score_adj$|comm$)/i

export const systemPath: Rule = {
  name: 'system-path',
  category: 'sensitive-paths',
  why: 'It belongs to the machine, or to another user, and other programs rely on it.',
  instead:
    'Write into the project or a temporary directory; what must be installed belongs into a Dockerfile or a note for people.',
  forbidsTouch({ path, how, isLinked = false }, place) {
    if (how === 'read' || how === 'remove' || isLinked) return null
    const { zone, path: plain } = locate(path, place)
    if (zone === 'above' && plain === '/' && how === 'sweep') return 'would change everything'
    return zone === 'system' && !free.test(`${plain}/`) ? `would write ${shownPath(plain)}` : null
  },
}
