import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import { isHelp } from '../../targets/is-help.ts'
import { operandsOf } from '../../targets/operands.ts'
import { locate } from '../../zone.ts'

const overwriting = new Set(['shred', 'gshred', 'srm', 'wipe', 'scrub', 'sfill', 'sdelete'])

export const overwriteForGood: Rule = {
  name: 'overwrite-for-good',
  category: 'file-destruction',
  why: 'What is overwritten so can be brought back by nobody.',
  instead: 'Use `rm` for files of the project; git has the older ones.',
  get programs() {
    return [...overwriting].join(' ')
  },
  forbids({ name, args, directories }, place) {
    if (!overwriting.has(name) || isHelp(args)) return null
    const paths = operandsOf(args, '-n -s --iterations --size').flatMap((path) => inside(directories, path))
    if (paths.length > 0 && paths.every((path) => locate(path, place).zone === 'temporary')) return null
    return 'would overwrite files so that they cannot be recovered'
  },
}
