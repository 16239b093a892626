import type * as Commander from 'commander'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { CommandSpec, Input, OptionSpec } from './command.ts'

/** Accepted by every command; `main.ts` reads it before anything is parsed. */
export const commonOptions: readonly OptionSpec[] = [
  { flags: '-V, --verbose', description: 'more detail, and a stack trace if Ralph itself fails' },
  { flags: '-h, --help', description: 'show this help' },
]

type Parsed = Pick<Input, 'args' | 'options'>

/** Commander is loaded here and not before: a help text or a mistyped command needs none of it. */
export async function parseOptions(command: CommandSpec, words: readonly string[]): Promise<Result<Parsed, Failure>> {
  const commander = await import('commander')
  const parser = new commander.Command(command.name)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .helpOption(false)
    .allowExcessArguments(false)
  for (const argument of command.args ?? []) parser.argument(argument)
  const given = new Set<string>()
  for (const spec of [...(command.options ?? []), ...commonOptions]) {
    addOption(parser, spec)
    for (const alias of spec.aliases ?? []) parser.addOption(aliasOf(commander, spec, alias))
  }
  for (const option of parser.options) parser.on(`option:${option.name()}`, () => given.add(option.name()))
  try {
    parser.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof commander.CommanderError)) throw error
    return refuse(command, sentence(error.message))
  }
  // Commander takes the last one; of a safety catch nobody means both.
  const opposite = [...given].find((name) => given.has(`no-${name}`))
  if (opposite !== undefined) return refuse(command, `--${opposite} and --no-${opposite} say opposite things.`)
  return ok({ args: parser.args, options: parser.opts() })
}

const refuse = (command: CommandSpec, message: string): Result<never, Failure> =>
  err({ reason: 'usage', message, fix: `Run "ralph ${command.name} --help" for what it takes.` })

function addOption(parser: Commander.Command, option: OptionSpec): void {
  if (option.repeatable === true) {
    parser.option<readonly string[]>(option.flags, option.description, (value, before) => [...before, value], [])
  } else {
    parser.option(option.flags, option.description, option.default)
  }
}

/** The same option under another name: its value is found under the first. */
function aliasOf(commander: typeof Commander, spec: OptionSpec, alias: string): Commander.Option {
  const name = new commander.Option(spec.flags).attributeName()
  const option = new commander.Option(spec.flags.replace(/^.*?--[\w-]+/, alias))
  option.attributeName = () => name
  return option
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` becomes one line that starts like a sentence. */
function sentence(message: string): string {
  const line = visibleLine(message.replace(/^error: /, '').replaceAll('\n', ' '), 300)
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.?)]$/.test(line) ? '' : '.'}`
}
