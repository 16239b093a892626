/** The program text that an interpreter is given in its own words. */
export interface Code {
  readonly language: string
  /** Null: it comes on the standard input. */
  readonly text: string | null
}

interface Interpreter {
  readonly language: string
  /** The letters of the options, and the long ones, behind which code stands. */
  readonly letters: string
  readonly long?: readonly string[]
  /** Short options that take the next word. */
  readonly valued?: string
}

const python: Interpreter = { language: 'python', letters: 'c', valued: 'mWXQ' }
const node: Interpreter = { language: 'node', letters: 'ep', long: ['--eval', '--print'], valued: 'rC' }
const perl: Interpreter = { language: 'perl', letters: 'eE', valued: 'I' }
const ruby: Interpreter = { language: 'ruby', letters: 'e', valued: 'Ir' }
const lua: Interpreter = { language: 'lua', letters: 'e', valued: 'l' }
const tcl: Interpreter = { language: 'tcl', letters: 'c' }
/** Near enough to Ruby in how they call others. */
const alike: Interpreter = { language: 'ruby', letters: 'ec' }
const php: Interpreter = { language: 'php', letters: 'rBRE', long: ['--run'], valued: 'dc' }

/** The names of the programs of which `codeOf` can tell something. */
export const interpreters =
  'python* pypy* node nodejs bun tsx ts-node perl* ruby* jruby* lua* php* awk gawk mawk nawk deno osascript'

function interpreterOf(name: string): Interpreter | null {
  if (/^(?:python|pypy)[\d.]*$/.test(name)) return python
  if (/^(?:node|nodejs|bun|tsx|ts-node)$/.test(name)) return node
  if (/^perl[\d.]*$/.test(name)) return perl
  if (/^j?ruby[\d.]*$/.test(name)) return ruby
  if (/^lua(?:jit)?[\d.]*$/.test(name)) return lua
  if (/^(?:tclsh|wish|expect)[\d.]*$/.test(name)) return tcl
  if (/^(?:Rscript|julia|guile)$/i.test(name)) return alike
  return /^php[\d.]*$/.test(name) ? php : null
}

/** The language of the files that a program of this name runs. */
export const languageOf = (name: string): string | null => interpreterOf(name)?.language ?? null

const awks = new Set(['awk', 'gawk', 'mawk', 'nawk'])

export function codeOf(name: string, args: readonly string[]): Code | null {
  if (awks.has(name)) return awkCode(args)
  if (name === 'deno') return args[0] === 'eval' ? { language: 'node', text: args.slice(1).join(' ') } : null
  if (name === 'osascript') return { language: 'ruby', text: args.join(' ').replaceAll('do shell script', 'system') }
  const interpreter = interpreterOf(name)
  if (interpreter === null) return null
  const { language, letters, long = [], valued = '' } = interpreter
  const texts: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '-') return { language, text: texts.length === 0 ? null : texts.join('\n') }
    if (!arg.startsWith('-')) return texts.length === 0 ? null : { language, text: texts.join('\n') }
    const option = long.find((name) => arg === name || arg.startsWith(`${name}=`))
    if (option !== undefined) texts.push(arg === option ? (args[++index] ?? '') : arg.slice(option.length + 1))
    else if (!arg.startsWith('--')) {
      const at = arg.slice(1).search(new RegExp(`[${letters}]`)) + 1
      const stop = arg.slice(1).search(new RegExp(`[${valued}]`)) + 1
      if (at > 0 && (stop === 0 || at < stop)) {
        // Perl and python take it behind the letter too; node only as a word of its own.
        const rest = arg.slice(at + 1)
        texts.push(rest === '' || language === 'node' ? (args[++index] ?? '') : rest)
        if (language === 'python') return { language, text: texts.join('\n') }
      } else if (stop > 0 && language === 'python' && arg[stop] === 'm') return null
      else if (stop === arg.length - 1 && stop > 0) index++
    }
  }
  return { language, text: texts.length === 0 ? null : texts.join('\n') }
}

function awkCode(args: readonly string[]): Code | null {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (/^-[vF]$/.test(arg)) index++
    else if (/^(?:-f|--file)/.test(arg)) return null
    else if (/^(?:-e|--source)$/.test(arg)) return { language: 'awk', text: args[index + 1] ?? '' }
    else if (!arg.startsWith('-')) return { language: 'awk', text: arg }
  }
  return null
}
