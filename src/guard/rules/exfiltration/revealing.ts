import { credentialAt } from '../../credential-path.ts'
import type { Place } from '../../place.ts'
import { isSecretName } from '../../secret-name.ts'
import { inside } from '../../shell/inside.ts'
import type { Input, Ran } from '../../shell/trace.ts'
import { shownPath } from '../../shown-path.ts'
import { operandsOf } from '../../targets/operands.ts'
import { readsOf } from '../../targets/reads-of.ts'
import { locate } from '../../zone.ts'

/** They print what is known of the machine, its user, or a whole database or tree. */
const telling = new Set(
  (
    'tar gtar bsdtar zip 7z cpio printenv history pg_dump pg_dumpall mysqldump mongodump redis-cli sqlite3 ps netstat ss ' +
    'ifconfig getent dscl lsof find mysql psql last w who arp'
  ).split(' '),
)

/** What comes in that is not for others; null: nothing that is known to be. */
export function revealing({ commands, files }: Input, place: Place): string | null {
  const file = files.find((path) => isForeign(path, place))
  if (file !== undefined) return shownPath(file)
  for (const command of commands) {
    const what = revealed(command, place)
    if (what !== null) return what
  }
  return null
}

function revealed(command: Ran, place: Place): string | null {
  const { name, args, directories, inherited, input } = command
  if (telling.has(name)) return `what ${name} prints`
  if (name === 'env' && operandsOf(args).every((arg) => arg.includes('='))) return 'the environment'
  if ((name === 'set' || name === 'export') && args.every((arg) => arg === '-p')) return 'the environment'
  if (name === 'git' && /^(?:archive|bundle|log|config|remote)$/.test(operandsOf(args, '-C -c')[0] ?? '')) {
    return operandsOf(args, '-C -c')[0] === 'log' ? null : 'the repository'
  }
  const read = [...readsOf(command).flatMap((path) => inside(directories, path)), ...input.files]
  const file = read.find((path) => isForeign(path, place))
  if (file !== undefined) return shownPath(file)
  return (name === 'echo' || name === 'printf') && inherited.some(isSecretName) ? 'a secret' : null
}

function isForeign(path: string, place: Place): boolean {
  const { zone } = locate(path, place)
  return credentialAt(path, place) !== null || zone === 'home' || zone === 'system' || zone === 'above'
}
