import { hasOption, operandsOf } from './operands.ts'
import type { Targets } from './file-targets.ts'

/** A call of git: what it was asked for, and where. */
export interface GitCall {
  readonly verb: string
  readonly args: readonly string[]
  /** The directories of `-C`, one inside of the other. */
  readonly inside: readonly string[]
}

const globalValued = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--exec-path'])

export function readGitCall(args: readonly string[]): GitCall {
  const inside: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) return { verb: arg, args: args.slice(index + 1), inside }
    if (!globalValued.has(arg)) continue
    index++
    if (arg === '-C') inside.push(args[index] ?? '')
  }
  return { verb: '', args: [], inside }
}

/** Files that git takes away or moves because it was told their names. To put a file back is what the referee asks for. */
export const gitTargets: Targets = (given) => {
  const { verb, args, inside } = readGitCall(given)
  if (verb !== 'rm' && verb !== 'mv') return []
  if (hasOption(args, 'n', '--dry-run')) return []
  const from = (path: string): string => (path.startsWith('/') ? path : [...inside, path].join('/'))
  // Secrets that got into git have to get out of it, and with this option they stay on the disk.
  const isKept = (path: string): boolean => args.includes('--cached') && /(?:^|\/)\.env[\w.]*$/.test(path)
  return operandsOf(args)
    .filter((path) => !isKept(path))
    .map((path) => ({ path: from(path), how: 'remove' }))
}
