import { unknown } from '../shell/pattern.ts'
import type { Input, Ran } from '../shell/trace.ts'
import { readFindCall } from './find-call.ts'
import { operandsOf } from './operands.ts'

/** They print what they were given, or less of it. */
const filters = new Set('grep egrep fgrep rg sort uniq head tail tac tee cat shuf nl column sed tr cut awk'.split(' '))

const maxWords = 1000

/** Programs that print the names of files below the directory that they run in. */
const listers = new Set('ls fd fdfind rg grep ag ack tree dirname basename'.split(' '))

/**
 * The words that `xargs` makes of what comes in: known ones, `.` for names below the directory it runs in, and
 * what is unknown where nobody can tell.
 */
export function pipedPaths({ commands, texts, files }: Input): string[] {
  if (texts.length > 0) return texts.flatMap(wordsOf).slice(0, maxWords)
  const source = commands.find((command) => !isFilter(command))
  if (files.length > 0 || source === undefined) return [unknown]
  return printedBy(source)
}

const isFilter = ({ name, args, input }: Ran): boolean =>
  filters.has(name) &&
  input.commands.length > 0 &&
  !(name === 'cat' && operandsOf(args).length > 0) &&
  !(name === 'awk' && args.some((arg) => arg.includes('system(')))

function printedBy({ name, args }: Ran): string[] {
  if (name === 'echo' || name === 'printf') return args.filter((arg) => !/^-[neE]+$/.test(arg)).flatMap(wordsOf)
  if (name === 'find') {
    const { roots, isByName, isByKind } = readFindCall(args)
    const named = args.flatMap((arg, index) => (/^-i?name$/.test(arg) ? args.slice(index + 1, index + 2) : []))
    // What is below the root of everything is the system's.
    return roots.map((root) => (isByName || isByKind ? `${root === '/' ? '/usr' : root}/${named[0] ?? 'found'}` : root))
  }
  // Files that git does not know are the only copies.
  if (name === 'git' && args.some((arg) => /^(?:-[a-z]*o[a-z]*|--others)$/.test(arg))) return [unknown]
  if (name === 'git')
    return args.some((arg) => /^(?:ls-files|diff|grep|status|ls-tree|clean)$/.test(arg)) ? ['found'] : [unknown]
  if (listers.has(name)) {
    const roots = operandsOf(args).filter((arg) => arg.startsWith('/') || arg.startsWith('..'))
    // A file that it is told, it prints as it is.
    const files =
      name === 'ls' ? operandsOf(args).filter((arg) => /^\.\w|\.\w+$/.test(arg) && !arg.startsWith('..')) : []
    return roots.length === 0 ? ['found', ...files] : roots.map((root) => `${root}/found`)
  }
  return [unknown]
}

const wordsOf = (text: string): string[] => text.split(/(?:\s|\\[nt0])+/).filter((word) => word !== '' && word !== '%s')
