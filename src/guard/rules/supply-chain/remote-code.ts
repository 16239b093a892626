import type { Rule } from '../../rule.ts'
import { unknown } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'

export const remoteCode: Rule = {
  name: 'remote-code',
  category: 'supply-chain',
  why: 'It runs whatever a server answers, and nobody has read that.',
  instead: 'Download it to a file and read it, or use the package manager of the project.',
  forbids({ name, args, input, outputs }) {
    const isRun =
      (readsProgram(name, args) && isDownload(input.commands)) || (takesProgram(name, args) && isDownload(outputs))
    return isRun ? 'would run what it downloads' : null
  },
}

const fetchers = new Set(
  'curl wget fetch aria2c http https xh lynx w3m ftp tftp irm iwr invoke-webrequest invoke-restmethod'.split(' '),
)

/** A pipe of any length that begins with a download. */
const isDownload = (commands: readonly Ran[]): boolean => commands.some(({ name }) => fetchers.has(name.toLowerCase()))

/** By the name of an interpreter: the options behind which a program is given. */
const interpreters: readonly (readonly [names: RegExp, program: RegExp])[] = [
  [/^(?:(?:r?ba|z|da|k|mk|c|tc|fi|a)?sh|pwsh|powershell)$/i, /^-(?:[a-zA-Z]*c|command$)/i],
  [/^(?:python|pypy)[\d.]*$/, /^-[a-zA-Z]*[cm]/],
  [/^(?:node|nodejs|bun|deno)$/, /^(?:-[a-z]*[ep]|--eval|--print|eval$)/],
  [/^(?:perl|ruby)$/, /^-[a-zA-Z0-9]*[eE]/],
  [/^php$/, /^-[rfBRF]/],
  [/^(?:osascript|Rscript|groovy|lua[\d.]*|luajit|tclsh)$/, /^-e/],
]

const programOf = (name: string): RegExp | undefined => interpreters.find(([names]) => names.test(name))?.[1]

/** Whether its program comes by its input: none is given, and no script is named. */
function readsProgram(name: string, args: readonly string[]): boolean {
  if (/^(?:iex|invoke-expression)$/i.test(name)) return true
  const program = programOf(name)
  if (program === undefined || args.some((arg) => program.test(arg))) return false
  const first = args.find((arg) => (!arg.startsWith('-') || arg === '-') && arg !== 'run')
  const isShell = name.endsWith('sh')
  return (
    first === undefined ||
    /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(first) ||
    (isShell && args.includes('-s'))
  )
}

/** Whether a word that nobody knows is a program: `eval "$(…)"`, `bash -c "$(…)"`, `. <(…)`, `python3 <(…)`. */
function takesProgram(name: string, args: readonly string[]): boolean {
  const isOpen = (arg: string | undefined): boolean => arg?.includes(unknown) === true
  if (name === 'eval') return args.some(isOpen)
  if (name === 'source' || name === '.' || /^(?:iex|invoke-expression)$/i.test(name)) return isOpen(args[0])
  const program = programOf(name)
  if (program === undefined) return false
  const at = args.findIndex((arg) => program.test(arg))
  return isOpen(at === -1 ? args.find((arg) => !arg.startsWith('-')) : args[at + 1])
}
