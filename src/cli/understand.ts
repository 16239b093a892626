import { nearest } from '../base/nearest.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { CommandSpec } from './command.ts'

/** What a command line asks for, before any option of a command is looked at. */
export type Intent =
  | { readonly kind: 'version' }
  /** Of one command, or of them all. */
  | { readonly kind: 'help'; readonly command: CommandSpec | null }
  | {
      readonly kind: 'command'
      readonly command: CommandSpec
      readonly words: readonly string[]
      /** No command was named: `ralph` or `ralph --option…`, which means run. */
      readonly implied: boolean
    }

/** A first word that is no command is never a task: a typing mistake must not start an agent. */
export function understand(words: readonly string[], commands: readonly CommandSpec[]): Result<Intent, Failure> {
  const [first, ...rest] = words
  if (first === undefined || first.startsWith('-')) {
    const options = ownWords(words)
    if (options.some(isHelp)) return ok({ kind: 'help', command: null })
    if (options.includes('--version')) return ok({ kind: 'version' })
    return withCommand('run', commands, (command) => ({ kind: 'command', command, words, implied: true }))
  }
  if (first === 'help') {
    const [name] = rest
    if (name === undefined || isHelp(name)) return ok({ kind: 'help', command: null })
    return withCommand(name, commands, (command) => ({ kind: 'help', command }))
  }
  return withCommand(first, commands, (command) =>
    ownWords(rest).some(isHelp) ? { kind: 'help', command } : { kind: 'command', command, words: rest, implied: false },
  )
}

/** Asked for before the options are parsed, because trouble with them must be able to answer it. */
export const isVerbose = (words: readonly string[]): boolean =>
  ownWords(words).some((word) => word === '--verbose' || word === '-V')

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** What stands after `--` belongs to somebody else's command. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
}

function withCommand(
  name: string,
  commands: readonly CommandSpec[],
  intent: (command: CommandSpec) => Intent,
): Result<Intent, Failure> {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return ok(intent(command))
  const near = nearest(
    name,
    commands.map((candidate) => candidate.name),
  )
  return err({
    reason: 'usage',
    message: `There is no command "${visibleLine(name, 80)}".`,
    fix: `The nearest is "ralph ${near ?? 'run'}"; "ralph --help" lists them all.`,
  })
}
