import { shownPath } from '../../shown-path.ts'
import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'
import { locate } from '../../zone.ts'

export const moveAway: Rule = {
  name: 'move-away',
  category: 'file-destruction',
  why: 'What is moved is missing where others look for it.',
  instead: 'Copy what you need into the project.',
  programs: 'mv gmv',
  forbids({ name, args, directories }, place) {
    if (name !== 'mv' && name !== 'gmv') return null
    const into = valuesOf(args, '-t', '--target-directory')
    const operands = operandsOf(args, '-t --target-directory -S --suffix')
    const sources = into.length > 0 ? operands : operands.slice(0, -1)
    if ([...into, operands.at(-1)].includes('/dev/null')) return 'would move files to nowhere'
    for (const path of sources.flatMap((source) => inside(directories, source))) {
      const { zone, path: plain } = locate(path, place)
      const isTop = zone === 'home' && !plain.slice(place.home.length + 1).includes('/')
      if (isTop || zone === 'above' || zone === 'system' || zone === 'project-root' || zone === 'device') {
        return `would move ${shownPath(plain)} away`
      }
    }
    return null
  },
}
