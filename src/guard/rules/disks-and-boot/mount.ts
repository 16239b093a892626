import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import { isHelp } from '../../targets/is-help.ts'
import { hasOption, operandsOf } from '../../targets/operands.ts'
import { locate } from '../../zone.ts'

const own = new Set(['project', 'temporary'])

export const mount: Rule = {
  name: 'mount',
  category: 'disks-and-boot',
  why: 'Other programs rely on what is mounted, and where.',
  instead: 'Work with the files as they are.',
  programs: 'swapoff swapon umount mount losetup',
  forbids({ name, args, directories }, place) {
    if (isHelp(args)) return null
    if (name === 'swapoff' || name === 'swapon')
      return hasOption(args, 's', '--show', '--summary') || args.length === 0 ? null : 'would change the swap space'
    if (name !== 'umount' && name !== 'mount' && name !== 'losetup') return null
    const operands = operandsOf(args, '-t -o --types --options -O -L -U')
    if (name === 'losetup') return hasOption(args, 'dD', '--detach', '--detach-all') ? 'would detach a device' : null
    const at = operands.at(-1)
    if (at === undefined) return hasOption(args, 'a', '--all') ? `would ${name} everything` : null
    if (name === 'mount' && operands.length === 1 && !hasOption(args, 'oa', '--options', '--bind')) return null
    const isOwn = inside(directories, at).every((path) => own.has(locate(path, place).zone))
    return isOwn ? null : `would ${name === 'mount' ? 'mount something' : 'unmount what is'} at ${at}`
  },
}
