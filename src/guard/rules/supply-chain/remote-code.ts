import type { Rule } from '../../rule.ts'
import { posix } from 'node:path'
import { inside } from '../../shell/inside.ts'
import { unknown } from '../../shell/pattern.ts'
import type { Ran } from '../../shell/trace.ts'
import { downloadedBy, fetchers, isFetcher } from './downloads.ts'

export const remoteCode: Rule = {
  name: 'remote-code',
  category: 'supply-chain',
  why: 'It runs whatever a server answers, and nobody has read that.',
  instead: 'Download it to a file and read it, or use the package manager of the project.',
  get programs() {
    return [
      ...fetchers,
      ...'sh bash rbash zsh dash ksh mksh csh tcsh fish ash pwsh powershell python* pypy* node nodejs bun deno perl ruby php osascript rscript groovy lua* tclsh'.split(
        ' ',
      ),
    ].join(' ')
  },
  forbids({ name, args, input, outputs }) {
    const isRun =
      (readsProgram(name, args) && isDownload(input.commands)) ||
      (takesProgram(name, args) && isDownload(outputs)) ||
      isDownloadingCode(codeOf(name, args))
    return isRun ? what : null
  },
  forbidsTogether(commands) {
    const downloaded = new Set<string>()
    for (const command of commands) {
      if (downloaded.size > 0 && scriptsOf(command).some((path) => downloaded.has(path))) return what
      if (isFetcher(command)) for (const path of downloadedBy(command)) downloaded.add(path)
    }
    return null
  },
}

const what = 'would run what it downloads'

/** A pipe of any length that begins with a download. */
const isDownload = (commands: readonly Ran[]): boolean => commands.some(isFetcher)

/** By the name of an interpreter: the options behind which a program is given. */
const interpreters: readonly (readonly [names: RegExp, program: RegExp])[] = [
  [/^(?:(?:r?ba|z|da|k|mk|c|tc|fi|a)?sh|pwsh|powershell)$/i, /^-(?:[a-zA-Z]*c|command$)/i],
  [/^(?:python|pypy)[\d.]*$/, /^-[a-zA-Z]*[cm]/],
  [/^(?:node|nodejs|bun|deno)$/, /^(?:-[a-z]*[ep]|--eval|--print|eval$)/],
  [/^(?:perl|ruby)$/, /^-[a-zA-Z0-9]*[eE]/],
  [/^php$/, /^-[rfBRF]/],
  [/^(?:osascript|rscript|groovy|lua[\d.]*|luajit|tclsh)$/, /^-e/],
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

/** The program that is given to an interpreter as a word. */
function codeOf(name: string, args: readonly string[]): string {
  const program = programOf(name)
  const at = program === undefined ? -1 : args.findIndex((arg) => program.test(arg))
  return at === -1 ? '' : args.slice(at).join(' ')
}

/** Code that brings something and runs it as code. */
const isDownloadingCode = (code: string): boolean =>
  /\b(?:exec|eval|Function|compile|system|popen|runInThisContext|instance_eval)\b/.test(code) &&
  /urlopen|urlretrieve|\brequests\b|httpx|\bfetch\(|https?\.get\(|URI\.open|Net::HTTP|open-uri|LWP|HTTP::Tiny|file_get_contents\(['"]http/.test(
    code,
  )

/** The file that a command runs: itself, or the script of an interpreter. */
function scriptsOf({ name, word, args, directories }: Ran): string[] {
  const isReader = name === 'source' || name === '.' || programOf(name) !== undefined
  const path = word.includes('/') && !isReader ? word : isReader ? args.find((arg) => !arg.startsWith('-')) : undefined
  return path === undefined ? [] : inside(directories, path).map((path) => posix.normalize(path))
}
