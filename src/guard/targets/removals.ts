import { inside } from '../shell/inside.ts'
import { nameOf } from '../shell/name-of.ts'
import { shells, shellTask } from '../shell/shell-text.ts'
import { unknown } from '../shell/pattern.ts'
import { unwrap } from '../shell/unwrap.ts'
import type { Ran } from '../shell/trace.ts'
import { isPlaceholder, readFindCall } from './find-call.ts'
import { hasOption, operandsOf, valuesOf } from './operands.ts'
import { pipedPaths } from './piped-paths.ts'

/** Something that a command would take away. */
export interface Removal {
  /** Absolute, or beginning with something unknown. */
  readonly path: string
  /** With all that is in it. */
  readonly isRecursive: boolean
  /** Whatever stands against it. */
  readonly isForced: boolean
  /** Of all that is in it only what has certain names, or is of a certain kind; `all`: no selection. */
  readonly only: 'all' | 'names' | 'kinds'
}

const removers = new Set([
  'rm',
  'unlink',
  'rimraf',
  'del',
  'del-cli',
  'trash',
  'trash-put',
  'rmtrash',
  'grm',
  'srm',
  'remove-item',
])
const runners = new Set(['npx', 'bunx', 'pnpx'])

/** The programs of which it can tell something. */
export const removing: readonly string[] = [
  ...removers,
  ...runners,
  ...'find gfind fd fdfind rsync gio tar zip'.split(' '),
]

/** What a command would remove, as far as its words tell. */
export function removalsOf(command: Ran): Removal[] {
  const { name, args, directories } = command
  if (name === 'find' || name === 'gfind') return foundBy(args, directories)
  if (name === 'fd' || name === 'fdfind') return foundByFd(args, directories)
  if (name === 'rsync') return emptiedBy(args, directories)
  if (runners.has(name)) {
    const [first = '', ...rest] = args.filter((arg, index) => !(arg.startsWith('-') && index < 2))
    return /^(?:rimraf|del-cli)(?:@|$)/.test(first) ? removedBy({ ...command, name: 'rimraf', args: rest }) : []
  }
  if (name === 'gio') return args[0] === 'trash' ? removedBy({ ...command, name: 'trash', args: args.slice(1) }) : []
  if (isPackingAway(name, args))
    return removedBy({ ...command, name: 'trash', args: operandsOf(args, '-f -C').slice(1) })
  return removers.has(name) ? removedBy(command) : []
}

/** What these have put into an archive, they take away. */
const isPackingAway = (name: string, args: readonly string[]): boolean =>
  (name === 'tar' && args.includes('--remove-files')) || (name === 'zip' && hasOption(args, 'm', '--move'))

function removedBy(command: Ran): Removal[] {
  const { name, args, directories, through } = command
  const isPackage = name === 'rimraf' || name.startsWith('del') || name.startsWith('trash')
  const isRecursive = isPackage || hasOption(args, 'rR', '--recursive') || abbreviated(args, '--recursive', 3)
  const isForced = isPackage || hasOption(args, 'f', '--force') || abbreviated(args, '--force', 3)
  const named = operandsOf(args).filter((arg) => !isPlaceholder(arg))
  // What is known of their input stands among the words already.
  const isFed = through.includes('parallel') || (through.some(isFeeder) && args.some(isPlaceholder))
  const isEmpty = named.length === 0 && through.some(isFeeder)
  const all = isFed ? [...named, ...pipedPaths(command.input)] : isEmpty ? [unknown] : named
  return all.flatMap((path) => inside(directories, path)).map((path) => ({ path, isRecursive, isForced, only: 'all' }))
}

const isFeeder = (name: string): boolean => name === 'xargs' || name === 'gxargs'

/** GNU programs take any beginning of a long option that only one has. */
const abbreviated = (args: readonly string[], long: string, least: number): boolean =>
  args.some((arg) => arg.length >= least + 2 && long.startsWith(arg))

function foundBy(args: readonly string[], directories: readonly string[]): Removal[] {
  const call = readFindCall(args)
  const isRemoving = call.deletes || call.runs.some((words) => unwrap(words).some(removes))
  if (!isRemoving) return []
  const only = call.isByName ? 'names' : call.isByKind ? 'kinds' : 'all'
  return call.roots
    .flatMap((root) => inside(directories, root))
    .map((path) => ({ path, isRecursive: true, isForced: true, only }))
}

/** Also as a word of the script that a shell is given. */
function removes({ name, args }: { readonly name: string; readonly args: readonly string[] }): boolean {
  if (!shells.has(name)) return removers.has(name)
  const task = shellTask(args)
  return task.kind === 'text' && task.text.split(/[\s;&|()"'`]+/).some((word) => removers.has(nameOf(word)))
}

/** `fd [options] [pattern] [path…] -x rm`. */
function foundByFd(args: readonly string[], directories: readonly string[]): Removal[] {
  const at = args.findIndex((arg) => /^(?:-[xX]|--exec|--exec-batch)$/.test(arg))
  if (at === -1 || !unwrap(args.slice(at + 1)).some(({ name }) => removers.has(name))) return []
  const before = args.slice(0, at)
  const [pattern, ...roots] = operandsOf(before, '-e -E -t -d -S -o -c -j --extension --exclude --type --max-depth')
  const isByName = (pattern !== undefined && pattern !== '.') || hasOption(before, 'eg', '--extension', '--glob')
  return (roots.length === 0 ? ['.'] : roots)
    .flatMap((root) => inside(directories, root))
    .map((path) => ({ path, isRecursive: true, isForced: true, only: isByName ? 'names' : 'all' }))
}

/** With `--delete` the target loses what the source does not have. */
function emptiedBy(args: readonly string[], directories: readonly string[]): Removal[] {
  if (hasOption(args, 'n', '--dry-run')) return []
  const moved = args.includes('--remove-source-files')
    ? operandsOf(args, '-e -f --exclude --include')
        .slice(0, -1)
        .filter((path) => !/^[^/]*:/.test(path))
    : []
  const taken = moved
    .flatMap((path) => inside(directories, path))
    .map((path): Removal => ({ path, isRecursive: true, isForced: true, only: 'all' }))
  if (!args.some((arg) => /^--del(?:ete.*)?$/.test(arg))) return taken
  const target = operandsOf(args, '-e -f -T --exclude --include --filter --rsh --files-from').at(-1)
  if (target === undefined || /^[^/]*:/.test(target) || valuesOf(args, '--server').length > 0) return []
  return inside(directories, target).map((path) => ({ path, isRecursive: true, isForced: true, only: 'all' }))
}
