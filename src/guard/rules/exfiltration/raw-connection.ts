import { hostOf, isNear } from '../../hosts.ts'
import type { Rule } from '../../rule.ts'
import { unknown } from '../../shell/pattern.ts'
import { shownPath } from '../../shown-path.ts'
import { operandsOf } from '../../targets/operands.ts'
import { netcats } from '../reverse-shell/netcat.ts'
import { revealing } from './revealing.ts'

const lookups = new Set(['dig', 'nslookup', 'host', 'drill', 'kdig', 'ping', 'ping6', 'traceroute'])

export const rawConnection: Rule = {
  name: 'raw-connection',
  category: 'exfiltration',
  why: 'What was sent away cannot be called back.',
  instead: 'Talk to servers on this machine, or ask a public one only for what you need.',
  get programs() {
    return [...lookups, ...netcats, 'openssl', 'telnet', 'socat', 'ssh'].join(' ')
  },
  forbids(command, place) {
    const { name, args, input, outputs } = command
    if (lookups.has(name)) {
      const isHiding = args.some(
        (arg) => arg.includes(unknown) && /\.[a-z0-9-]+\.[a-z]{2,}\.?$|^[^.]*\.[a-z0-9-]+\.[a-z]+$/i.test(arg),
      )
      return isHiding && outputs.length > 0 ? 'would send data away inside of a name that it asks for' : null
    }
    const isOpenssl = name === 'openssl' && args[0] === 's_client'
    if (!netcats.has(name) && !isOpenssl && name !== 'telnet' && name !== 'socat' && name !== 'ssh') return null
    if (args.some((arg) => /^-[A-Za-z]*z[A-Za-z]*$/.test(arg)) && netcats.has(name)) return null
    const isFile =
      name === 'socat' &&
      args.some((arg) => /^(?:FILE|OPEN|GOPEN):/i.test(arg)) &&
      args.some((arg) => /^(?:TCP|UDP|OPENSSL|SSL|SCTP)\d?(?:-CONNECT|-SENDTO)?:/i.test(arg))
    if (isFile) return 'would send a file away'
    const hosts = (
      isOpenssl ? args.slice(args.indexOf('-connect') + 1).slice(0, 1) : operandsOf(args, '-p -w -s -i -o -F -l -x -X')
    ).map((word) => hostOf(word.replace(/^[A-Za-z0-9-]+:(?=[^/])/, '')))
    if (name !== 'ssh' && hosts.length > 0 && isNear(hosts[0] ?? '')) return null
    const what =
      name === 'ssh' || isOpenssl ? revealing(input, place) : (revealing(input, place) ?? anyFile(input.files))
    if (what !== null) return `would send ${what} to another machine`
    const fed = input.commands.at(0)
    const isRead =
      fed !== undefined &&
      /^(?:cat|base64|xxd|gzip|bzip2|xz|zstd|openssl|gpg|dd|head|tail)$/.test(fed.name) &&
      name !== 'ssh' &&
      !isOpenssl
    return isRead ? `would send what ${fed.name} prints to another machine` : null
  },
}

const anyFile = (files: readonly string[]): string | null => {
  const file = files.find((path) => path !== '/dev/null' && !path.startsWith('/dev/'))
  return file === undefined ? null : shownPath(file)
}
