import type { Input } from './trace.ts'

const valued = new Set(
  '-I -J -n -L -P -s -d -E -a -S -R --max-args --max-procs --max-chars --max-lines --delimiter --arg-file --process-slot-var --eof'.split(
    ' ',
  ),
)
const maxCommands = 50
const maxWords = 1000

/** The commands that `xargs` makes of its own words and of what it reads; what nobody knows stands as `{}`. */
export function xargsWords(args: readonly string[], { commands, texts, files }: Input): string[][] {
  let replaced: string | null = null
  let isFile = false
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index++
      break
    }
    if (!arg.startsWith('-')) break
    if (/^(?:-a|--arg-file)/.test(arg)) isFile = true
    if (/^-[iI]./.test(arg)) replaced = arg.slice(2)
    else if (arg === '-I' || arg === '-J') replaced = args[index + 1] ?? '{}'
    else if (arg === '-i' || /^--replace=?$/.test(arg)) replaced = '{}'
    else if (arg.startsWith('--replace=')) replaced = arg.slice('--replace='.length)
    if (valued.has(arg)) index++
  }
  const words = args.slice(index)
  if (words.length === 0) return []
  const isGiven = !isFile && texts.length > 0
  const isAnything = isFile || commands.length > 0 || files.length > 0
  const lines = isGiven
    ? texts.flatMap((text) => text.split(/[\n\0]/)).filter((line) => line !== '')
    : isAnything
      ? ['{}']
      : []
  if (replaced !== null) {
    const mark = replaced === '' ? '{}' : replaced
    return lines.slice(0, maxCommands).map((line) => words.map((word) => word.split(mark).join(line)))
  }
  const values = lines.flatMap((line) => line.split(/[ \t]+/)).filter((word) => word !== '')
  // How it takes a line apart depends on its options and on quotes in it.
  const isWhole = lines.length === values.length
  return [[...words, ...values.slice(0, maxWords)], ...(isWhole ? [] : [[...words, ...lines.slice(0, maxWords)]])]
}
