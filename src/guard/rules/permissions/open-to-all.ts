import type { Rule } from '../../rule.ts'
import { inside } from '../../shell/inside.ts'
import { readMode } from '../../targets/mode.ts'
import { operandsOf } from '../../targets/operands.ts'
import { locate } from '../../zone.ts'

export const openToAll: Rule = {
  name: 'open-to-all',
  category: 'permissions',
  why: 'Then every user and program of the machine can change it.',
  instead: 'Give only what is needed: `chmod +x FILE`, or `chmod 755` for a directory and `644` for a file.',
  programs: 'umask chmod gchmod',
  forbids(command, place) {
    if (command.name === 'umask') {
      const [mask = '077'] = operandsOf(command.args)
      return /^0+$/.test(mask) ? 'would let everybody write the files that are made' : null
    }
    const mode = readMode(command)
    if (mode === null || !mode.opensToAll) return null
    const paths = mode.paths.flatMap((path) => inside(command.directories, path))
    if (paths.length > 0 && paths.every((path) => locate(path, place).zone === 'temporary')) return null
    return 'would let everybody write it'
  },
}
