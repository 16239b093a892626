import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import { readMode } from '../../targets/mode.ts'
import { operandsOf } from '../../targets/operands.ts'
import { locate } from '../../zone.ts'

export const lockOut: Rule = {
  name: 'lock-out',
  category: 'permissions',
  why: 'Then neither you nor the runner can work with these files any more.',
  instead: 'Leave the owner the right to read and write.',
  programs: 'chattr chflags chmod gchmod',
  forbids(command, place) {
    const { name, args, directories } = command
    if (name === 'chattr')
      return args.some((arg) => /^[-+=][A-Za-z]*[iau]/.test(arg))
        ? 'would change whether files can be changed at all'
        : null
    if (name === 'chflags')
      return operandsOf(args)[0]?.match(/(?:u|s)(?:chg|immutable|appnd)|sappend|restricted/)
        ? 'would change whether files can be changed at all'
        : null
    const mode = readMode(command)
    if (mode === null || !mode.isRecursive || !mode.locksOwner) return null
    const isWhole = mode.paths
      .flatMap((path) => inside(directories, path))
      .some((path) => !['project', 'temporary'].includes(locate(path, place).zone))
    return isWhole ? 'would lock everybody out of a whole tree' : null
  },
}
