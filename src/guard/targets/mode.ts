import type { Ran } from '../shell/trace.ts'
import { hasOption, operandsOf } from './operands.ts'

/** What `chmod` would do. */
export interface Mode {
  readonly paths: readonly string[]
  readonly isRecursive: boolean
  /** Others may write. */
  readonly opensToAll: boolean
  /** The owner may no longer read or write. */
  readonly locksOwner: boolean
  /** Whoever runs it has the rights of its owner. */
  readonly lendsRights: boolean
}

/** Null for any other command, and where the mode is not known. */
export function readMode({ name, args }: Ran): Mode | null {
  if (name !== 'chmod' && name !== 'gchmod') return null
  const isRecursive = hasOption(args, 'R', '--recursive')
  // A mode may look like an option: `chmod -x file`.
  const taken = args.find((arg) => /^-[rwxXst]+$/.test(arg) && !/^-R$/.test(arg))
  const operands = operandsOf(
    args.filter((arg) => arg !== taken),
    '--reference',
  )
  const mode = taken ?? operands[0]
  if (mode === undefined) return null
  const paths = taken === undefined ? operands.slice(1) : operands
  return { paths, isRecursive, ...(/^[0-7]{1,5}$/.test(mode) ? octal(mode) : symbolic(mode)) }
}

type Rights = Pick<Mode, 'opensToAll' | 'locksOwner' | 'lendsRights'>

function octal(mode: string): Rights {
  const value = Number.parseInt(mode, 8)
  return {
    opensToAll: (value & 0o002) !== 0 && (value & 0o1000) === 0,
    locksOwner: (value & 0o600) !== 0o600 && (value & 0o200) === 0 && (value & 0o400) === 0,
    lendsRights: (value & 0o6000) !== 0,
  }
}

function symbolic(mode: string): Rights {
  const rights = { opensToAll: false, locksOwner: false, lendsRights: false }
  for (const clause of mode.split(',')) {
    const [, who = '', sign = '', what = ''] = /^([ugoa]*)([-+=])([rwxXstugo]*)$/.exec(clause) ?? []
    const isAll = who.includes('a') || who === 'ugo'
    if (sign !== '-' && what.includes('w') && (isAll || who.includes('o'))) rights.opensToAll = true
    if (sign !== '-' && what.includes('s')) rights.lendsRights = true
    const isOwner = isAll || who === '' || who.includes('u')
    if (isOwner && ((sign === '-' && /r/.test(what)) || (sign === '=' && what === ''))) rights.locksOwner = true
  }
  return rights
}
