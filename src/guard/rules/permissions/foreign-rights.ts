import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import { shownPath } from '../../shown-path.ts'
import type { Place } from '../../place.ts'
import { isHelp } from '../../targets/is-help.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'
import { locate } from '../../zone.ts'

/** An owner that no person is, and not the user. */
const isOther = (owner: string, { variables }: Place): boolean =>
  /^(?:root|nobody|daemon|bin|sys|mail|www-data|_www)(?::|$)/.test(owner) && owner.split(':')[0] !== variables['USER']

const changers: Readonly<Record<string, string>> = {
  chmod: '--reference',
  chown: '--reference --from',
  chgrp: '--reference',
  setfacl: '-m -x -M -X --modify --remove --set --restore',
  chcon: '-t -u -r -l --type --user --role --range --reference',
  icacls: '',
  takeown: '/f',
}

export const foreignRights: Rule = {
  name: 'foreign-rights',
  category: 'permissions',
  why: 'Programs and users of the machine rely on who may do what there.',
  instead: 'Change rights only in the project or in a temporary directory.',
  get programs() {
    return Object.keys(changers).join(' ')
  },
  forbids({ name, args, directories }, place) {
    const valued = Object.hasOwn(changers, name) ? changers[name] : undefined
    if (valued === undefined || isHelp(args)) return null
    const isRecursive = hasOption(args, 'R', '--recursive')
    const operands = operandsOf(args, valued)
    const paths = name === 'setfacl' || name === 'icacls' || name === 'takeown' ? operands : operands.slice(1)
    for (const path of paths.flatMap((path) => inside(directories, path))) {
      const { zone, path: plain } = locate(path, place)
      if (zone === 'above' || zone === 'system' || zone === 'device' || zone === 'temporary-root')
        return `would change the rights of ${shownPath(plain)}`
      if (name === 'chown' && zone === 'project-root' && isOther(operands[0] ?? '', place))
        return 'would give the project to somebody else'
      if (isRecursive && (zone === 'home' || zone === 'elsewhere'))
        return `would change the rights of all that is in ${shownPath(plain)}`
    }
    return null
  },
}
