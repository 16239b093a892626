import { posix } from 'node:path'
import type { Options } from '../../options.ts'
import type { Place } from '../../place.ts'
import type { Rule } from '../../rule.ts'
import { isGlob, unknown } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'
import { gitCallOf, isWholeTree, readGitOptions } from './git-call.ts'

/** What each verb would do to changes that are not committed. */
type Verb = (args: readonly string[], command: Ran, place: Place) => string | null

export const gitDiscard: Rule = {
  name: 'git-discard',
  category: 'git-destruction',
  why: 'It throws away changes that are committed nowhere, and nothing can bring them back.',
  instead:
    'Commit or `git stash` them first, undo single edits by hand, or take files back from a commit by its id (`git checkout COMMIT -- FILE`); `--quit` ends a merge or rebase and keeps the files.',
  programs: 'git hub git-*',
  forbids(command, place) {
    const call = gitCallOf(command)
    return call === null ? null : (verbs.get(call.verb)?.(call.args, command, place) ?? null)
  },
}

const overwrites = 'would overwrite files that have changes'

const reset: Verb = (args) => {
  const options = readGitOptions(args, '--pathspec-from-file', 'mixed soft hard merge keep patch quiet')
  return options?.has('--hard', '--merge') ? 'would throw away every change that is not committed' : null
}

const checkoutLong =
  'force quiet detach orphan merge patch ours theirs track guess overlay conflict unified progress ignore-skip-worktree-bits recurse-submodules overwrite-ignore ignore-other-worktrees pathspec-from-file pathspec-file-nul inter-hunk-context'

const checkout: Verb = (args, command, place) => {
  const options = readGitOptions(
    withoutModes(args),
    '-b -B -U --orphan --conflict --unified --inter-hunk-context --pathspec-from-file',
    checkoutLong,
  )
  if (options === null) return null
  if (options.has('-f', '--force')) return 'would throw away changes to change the branch'
  if (options.has('-b', '-B', '--orphan')) return null
  if (options.has('--pathspec-from-file', '-p', '--patch')) return overwrites
  return overwritesFiles(options, command, place) ? overwrites : null
}

/** These take a word of a few only, and only some versions of git do so without `=`. */
function withoutModes(args: readonly string[]): string[] {
  const modes = new Set(['direct', 'inherit', 'checkout', 'on-demand'])
  return args.filter(
    (arg, index) => !(modes.has(arg) && /^(?:-t|--track|--recurse-submodules)$/.test(args[index - 1] ?? '')),
  )
}

function overwritesFiles(options: Options, command: Ran, place: Place): boolean {
  const { operands, dashesAt } = options
  const [first = ''] = operands
  // Somebody has looked which commit it is; this is also how the referee asks for files.
  if (dashesAt === 1 && isCommitId(first)) return operands.slice(1).some(isWholeTree)
  // One side of a conflict: the file has no changes but those of the merge.
  if (options.has('--ours', '--theirs')) return operands.some(isWholeTree)
  if (dashesAt === operands.length) return false
  if (dashesAt !== null || operands.length > 1) return true
  const isListed =
    first.includes(unknown) && command.outputs.some(({ name, args }) => name === 'git' && listing.test(args.join(' ')))
  return operands.length === 1 && (isListed || isFile(first, command, place))
}

/** What they print are files. */
const listing = /^(?:ls-files|diff |diff-|status)/

const isCommitId = (text: string): boolean => /^[0-9a-f]{6,64}$/.test(text)

/** A single word is a branch, unless it can only be a file. */
function isFile(word: string, { directories }: Ran, { disk }: Place): boolean {
  if (isWholeTree(word) || isGlob(word) || /^(?:\.{1,2}\/|\/|:[/(!])|\/$/.test(word)) return true
  return word !== '-' && directories.some((directory) => disk.exists(posix.resolve(directory, word)))
}

const restore: Verb = (args) => {
  const options = readGitOptions(
    args,
    '-s -U --source --pathspec-from-file --conflict --unified --inter-hunk-context',
    'source patch worktree staged quiet progress ours theirs merge conflict ignore-unmerged overlay ignore-skip-worktree-bits recurse-submodules pathspec-from-file pathspec-file-nul no-staged no-worktree no-patch',
  )
  if (options === null) return null
  const { operands } = options
  const isOnWorktree = options.has('-W', '--worktree')
  // Neither of both is an error, and nothing happens.
  if (!isOnWorktree && options.has('-S', '--staged', '--no-staged', '--no-worktree')) return null
  if (!isOnWorktree && options.has('--ours', '--theirs') && !operands.some(isWholeTree)) return null
  const sources = options.values('-s', '--source')
  if (sources.some(isCommitId) && operands.length > 0 && !operands.some(isWholeTree)) return null
  return operands.length > 0 || options.has('-p', '--patch', '--pathspec-from-file') ? overwrites : null
}

const switchTo: Verb = (args) => {
  const options = readGitOptions(
    args,
    '-c -C --create --force-create --orphan --conflict',
    'create force-create detach guess force discard-changes merge conflict quiet progress track orphan ignore-other-worktrees recurse-submodules',
  )
  if (options === null) return null
  return options.has('-f', '--force', '--discard-changes') ? 'would throw away changes to change the branch' : null
}

/** What was resolved of the conflicts is nowhere else. */
const abort: Verb = (args) =>
  readGitOptions(args, '-m --message -F --file -s --strategy -X -x --exec --onto', 'abort continue quit skip')?.has(
    '--abort',
  )
    ? 'would throw away the conflicts that were resolved'
    : null

const withForce =
  (verb: string, what: string): Verb =>
  (args) => {
    const options = readGitOptions(args, '', 'force')
    return options?.operands[0] === verb && options.has('-f', '--force') ? what : null
  }

const submodule: Verb = (args, command, place) =>
  withForce('deinit', 'would remove submodules with their changes')(args, command, place) ??
  withForce('update', 'would throw away changes in submodules')(args, command, place)

const remove: Verb = (args) => {
  const options = readGitOptions(args, '--pathspec-from-file', 'force cached dry-run')
  if (options === null || options.has('--cached', '-n', '--dry-run') || !options.has('-f', '--force')) return null
  return options.operands.some(isWholeTree) ? 'would remove every file, with its changes' : null
}

const verbs: ReadonlyMap<string, Verb> = new Map([
  ['reset', reset],
  ['checkout', checkout],
  ['restore', restore],
  ['switch', switchTo],
  ...['merge', 'rebase', 'cherry-pick', 'revert', 'am'].map((verb) => [verb, abort] as const),
  ['worktree', withForce('remove', 'would remove a work tree with its changes')],
  ['submodule', submodule],
  ['rm', remove],
  ['checkout-index', (args) => (readGitOptions(args, '', 'force')?.has('-f', '--force') ? overwrites : null)],
  ['read-tree', (args) => (readGitOptions(args, '', '')?.has('--reset') && args.includes('-u') ? overwrites : null)],
])
