import type { Rule } from '../../rule.ts'
import { isHelp } from '../../targets/is-help.ts'
import { readFindCall } from '../../targets/find-call.ts'
import { readMode } from '../../targets/mode.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'

const interpreters = /^(?:python[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|node|gdb|vim|awk|gawk)$/
const scanners = new Set(
  'linpeas linpeas.sh linenum linenum.sh lse.sh pspy pspy64 linux-exploit-suggester.sh unix-privesc-check winpeas beroot gtfobins'.split(
    ' ',
  ),
)

export const lendRights: Rule = {
  name: 'lend-rights',
  category: 'privilege-escalation',
  why: 'A program that runs with the rights of its owner is a way to these rights for everybody.',
  instead: 'Let programs run with the rights of whoever starts them.',
  get programs() {
    return [
      ...'chmod gchmod install setcap capsh find python* perl* ruby* php* node gdb vim awk gawk'.split(' '),
      ...scanners,
    ].join(' ')
  },
  forbids(command) {
    const { name, args } = command
    if (readMode(command)?.lendsRights === true && !isOnlyDirectories(command.args))
      return 'would let whoever runs a program have the rights of its owner'
    if (name === 'install' && valuesOf(args, '-m', '--mode').some((mode) => /^0*[4-7]\d{3}$|u\+s/.test(mode)))
      return 'would install a program that runs with the rights of its owner'
    if (name === 'setcap' && !isHelp(args) && !args.includes('-v')) return 'would give a program rights of root'
    if (name === 'capsh' && args.some((arg) => /^--(?:uid|gid|user|caps|inh|addamb)/.test(arg)))
      return 'would take rights of root'
    if (scanners.has(name)) return 'would look for ways to the rights of root'
    if (name === 'find') {
      const { roots, isForRights } = readFindCall(args)
      if (isForRights && roots.some((root) => root === '/' || /^\/(?:usr|bin|sbin)/.test(root)))
        return 'would look for ways to the rights of root'
    }
    const text = interpreters.test(name) ? args.join('\n').slice(0, 100_000) : ''
    return /\bset(?:re|res)?[ug]id\s*\(\s*0|\$[<>(]\s*=\s*0\b/.test(text) ? 'would take the rights of root' : null
  },
}

/** `g+s` on a directory only hands down its group. */
const isOnlyDirectories = (args: readonly string[]): boolean =>
  args.some((arg) => /^(?:g\+s|2[0-7]{3}|02[0-7]{3})$/.test(arg)) &&
  operandsOf(args)
    .slice(1)
    .every((path) => path.endsWith('/'))
