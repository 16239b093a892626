import { credentialAt } from '../../credential-path.ts'
import { hostOf, isDrop, isNear } from '../../hosts.ts'
import type { Place } from '../../place.ts'
import type { Rule } from '../../rule.ts'
import { isSecretName } from '../../secret-name.ts'
import { inside } from '../../shell/inside.ts'
import { unknown } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'
import { shownPath } from '../../shown-path.ts'
import { operandsOf, valuesOf } from '../../targets/operands.ts'
import { curlValued, uploadsOf } from '../../targets/uploads-of.ts'
import { locate } from '../../zone.ts'
import { revealing } from './revealing.ts'

const clients = new Set(['curl', 'wget', 'wget2', 'http', 'https', 'xh', 'xhs'])

export const upload: Rule = {
  name: 'upload',
  category: 'exfiltration',
  why: 'What was sent away cannot be called back.',
  instead: 'Send only files of the project that are meant for it, to a server of your own: `http://localhost:…`.',
  get programs() {
    return [...clients].join(' ')
  },
  forbids(command, place) {
    const { name, args } = command
    if (!clients.has(name)) return null
    const addresses = [...valuesOf(args, '--url'), ...operandsOf(args, curlValued)]
    if (addresses.length > 0 && addresses.every((address) => isNear(hostOf(address)))) return null
    const sent = uploadsOf(command)
    const drop = sent.length > 0 || hasData(args) ? addresses.map(hostOf).find(isDrop) : undefined
    if (drop !== undefined) return `would leave data at ${shownPath(drop)}, where anybody may take it`
    for (const { file } of sent) {
      const what = file === null ? revealing(command.input, place) : foreign(file, command, place)
      if (what !== null) return `would send ${what} away`
    }
    const about = command.outputs.find(({ name }) => /^(?:whoami|hostname|id|ifconfig|groups|last|w)$/.test(name))
    if (about !== undefined) return `would send what ${about.name} prints away`
    const inWords = revealing({ commands: command.outputs, texts: [], files: [] }, place)
    if (inWords !== null) return `would send ${inWords} away`
    return isSecretSent(command, addresses, place) ? 'would send a secret away in an address or as data' : null
  },
}

const hasData = (args: readonly string[]): boolean =>
  args.some((arg) => /^(?:-[dFT]|--(?:data|form|upload|json|post|body))/.test(arg))

/** A file that is not for others: of another place than the project, or with credentials. */
function foreign(file: string, { directories }: Ran, place: Place): string | null {
  for (const path of inside(directories, file)) {
    const { zone } = locate(path, place)
    const isOwn = zone === 'project' || zone === 'temporary' || zone === 'unknown'
    if (!isOwn || credentialAt(path, place) !== null) return shownPath(path)
  }
  return null
}

/** A key in a header is for the server; in an address, or as data, it is for whoever keeps it. */
function isSecretSent({ inherited, args }: Ran, addresses: readonly string[], place: Place): boolean {
  const secrets = inherited.filter(isSecretName)
  const hasHeader = args.some((arg) => heading.test(arg))
  if (secrets.length === 0 || hasHeader) return false
  const values = secrets.map((name) => place.variables[name] || unknown)
  return hasData(args) || addresses.some((address) => values.some((value) => address.split('?', 2)[1]?.includes(value)))
}

const heading = /^(?:-[A-Za-z]*[Hu]|--(?:header|user|oauth2-bearer|proxy-user|password|token))/
