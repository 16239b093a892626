import { constants } from 'node:os'

/** How surely everything that a child starts ends with it, and what of this machine it is kept from. */
export type Containment =
  /** A PID namespace in which Ralph's own files are out of reach as well. */
  | Wrapped<'mask'>
  /** A PID namespace: the kernel ends all of it, also when this process is killed. `noMask`: why it is no more than that. */
  | (Wrapped<'namespace'> & { readonly noMask: string })
  /** Found by tree, session and environment: a daemon that wiped its environment escapes. */
  | { readonly level: 'tree'; readonly reason: string }

interface Wrapped<Level extends string> {
  readonly level: Level
  /** What stands in front of the child's own argv. */
  readonly wrapper: readonly string[]
  readonly reason: string
}

/** Whether the child's own program is not the one that is started, but one that its first process starts. */
export const isWrapped = (containment: Containment): boolean => containment.level !== 'tree'

export function containedArgv(containment: Containment, argv: readonly string[]): readonly string[] {
  return containment.level === 'tree' ? argv : [...containment.wrapper, ...argv]
}

export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * The init cannot die of its child's signal, so it exits with 128 + n as shells do. Only signals that programs die of are
 * read back: 129 is what git says to a wrong option, not a hangup.
 */
export function containedStatus(containment: Containment, status: ExitStatus): ExitStatus {
  return isWrapped(containment) ? shellStatus(status) : status
}

/** An exit code as a shell tells of its child. */
export function shellStatus(status: ExitStatus): ExitStatus {
  const signal = fatalSignals.find((name) => 128 + constants.signals[name] === status.exitCode)
  return signal === undefined ? status : { exitCode: null, signal }
}

const fatalSignals = (
  'SIGKILL SIGTERM SIGINT SIGQUIT SIGABRT SIGSEGV SIGBUS SIGILL SIGFPE SIGTRAP SIGPIPE SIGSYS'.split(
    ' ',
  ) as NodeJS.Signals[]
).filter((name) => name in constants.signals)
