import { isWild, star } from '../shell/pattern.ts'

/** A call of `find`: where it looks, for what, and what it does with it. */
export interface FindCall {
  readonly roots: readonly string[]
  readonly deletes: boolean
  /** The commands that it runs for what it finds. */
  readonly runs: readonly (readonly string[])[]
  /** It looks for names, or for what is empty. */
  readonly isByName: boolean
  /** It looks for ages, sizes, owners. */
  readonly isByKind: boolean
  /** It looks for what has the rights of somebody else. */
  readonly isForRights: boolean
}

const byName = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -samefile -inum'.split(' '),
)
const byKind = new Set(
  (
    '-size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -user -group -uid -gid -links -used -fstype ' +
    '-context -perm'
  ).split(' '),
)
const neutral = new Set(
  '-type -xtype -maxdepth -mindepth -regextype -printf -fprint -fprint0 -fls -files0-from'.split(' '),
)
const running = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** Options in front of the roots; `-D` and `-O` have their value with them or behind them. */
const leading = /^-(?:[HLPEXdsx]+|O\d?)$/

export function readFindCall(args: readonly string[]): FindCall {
  let index = 0
  while (leading.test(args[index] ?? '') || args[index] === '-D' || args[index] === '-f') {
    index += args[index] === '-D' ? 2 : 1
  }
  const roots: string[] = []
  for (; index < args.length && !/^(?:[-(!,]|\\\()/.test(args[index] ?? ''); index++) roots.push(args[index] ?? '')
  const runs: string[][] = []
  let deletes = false
  let isByName = false
  let isByKind = false
  let isForRights = false
  for (; index < args.length; index++) {
    const test = args[index] ?? ''
    const value = args[index + 1] ?? ''
    if (running.has(test)) {
      const end = endOfCommand(args, index + 1)
      runs.push(args.slice(index + 1, end))
      index = end
    } else if (test === '-delete') {
      deletes = true
      // It is done at once: what is looked for behind it spares nothing any more.
      break
    } else if (test === '-empty') isByName = true
    else if (byName.has(test)) {
      // What is not called so is everything else.
      const isInverted = args[index - 1] === '!' || args[index - 1] === '-not'
      if (!isInverted && !isAnyName(value)) isByName = true
      index++
    } else if (byKind.has(test) || test.startsWith('-newer')) {
      isByKind = true
      if (test === '-perm' && /^[-/+]?0*[2467]\d{3}$|[ug][+=]\w*s/.test(value)) isForRights = true
      index++
    } else if (neutral.has(test)) index++
    else if (test === '-fprintf') index += 2
  }
  return { roots: roots.length === 0 ? ['.'] : roots, deletes, runs, isByName, isByKind, isForRights }
}

const isAnyName = (pattern: string): boolean => /^[*?./]*$/.test(pattern.replaceAll(star, '*')) && pattern !== '.'

/** At `;`, or at `+` behind `{}`. */
function endOfCommand(args: readonly string[], start: number): number {
  for (let index = start; index < args.length; index++) {
    if (args[index] === ';' || args[index] === '\\;') return index
    if (args[index] === '+' && args[index - 1] === '{}') return index
  }
  return args.length
}

/** Whether a word stands for what was found. */
export const isPlaceholder = (word: string): boolean => /\{[./]*\}/.test(word) && !isWild(word)
