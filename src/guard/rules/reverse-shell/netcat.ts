import { hostOf, isThisMachine } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'
import { isHelp } from '../../targets/is-help.ts'

export const netcats: ReadonlySet<string> = new Set(
  'nc ncat netcat nc.traditional nc.openbsd nc6 cryptcat pwncat pwncat-cs powercat sbd'.split(' '),
)

export const netcat: Rule = {
  name: 'netcat',
  category: 'reverse-shell',
  why: 'It lets somebody else run commands here.',
  instead: 'To see whether a port is open use `nc -z HOST PORT`.',
  get programs() {
    return [...netcats, 'socat'].join(' ')
  },
  forbids({ name, args }) {
    if (name === 'socat') return socat(args)
    if (!netcats.has(name) || isHelp(args)) return null
    if (
      args.some((arg) => /^-[A-Za-z]*[ec]$|^-e|^--(?:exec|sh-exec|lua-exec)/.test(arg)) &&
      !/^(?:-[A-Za-z]*z)/.test(args[0] ?? '')
    ) {
      return 'would give a shell to another machine'
    }
    const isListening = args.some((arg) => /^-[A-Za-z]*l[A-Za-z]*$|^--listen$/.test(arg))
    const at = [...valuesOf(args, '-s', '--source'), ...operandsOf(args, '-p -w -q -i -X -x -s')]
    const isHere = at.some((word) => isThisMachine(hostOf(word)) && word !== '0.0.0.0')
    return isListening && !isHere ? 'would wait for whoever connects' : null
  },
}

function socat(args: readonly string[]): string | null {
  const runs = args.some((arg) => /^(?:EXEC|SYSTEM|SHELL):/i.test(arg))
  const connects = args.some((arg) => /^(?:TCP|UDP|OPENSSL|SSL|SCTP|VSOCK|SOCKS)/i.test(arg))
  return runs && connects ? 'would give a shell to another machine' : null
}
