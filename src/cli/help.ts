import type { CommandSpec, OptionSpec } from './command.ts'
import { commonOptions } from './parse-options.ts'

/** What `ralph --help` prints: every command, the ones that are not built yet marked as such. */
export function helpForAll(commands: readonly CommandSpec[]): string {
  const built = commands.filter(isBuilt)
  const planned = commands.filter((command) => !isBuilt(command))
  return [
    'Ralph runs a coding agent again and again, each time with a fresh context, until the work',
    'is done and somebody other than its author has checked it.',
    '',
    'Usage: ralph [command] [options]      without a command: ralph run',
    ...section('Commands', built.map(commandRow)),
    ...section('Not built yet', planned.map(commandRow)),
    ...section('Options', [['--version', 'print the version'], ...commonOptions.map(optionRow)]),
    '',
    'Example: ralph check',
    'More on one command: ralph <command> --help',
  ].join('\n')
}

export function helpForCommand(command: CommandSpec): string {
  const usage = ['ralph', command.name, ...(command.args ?? []), '[options]'].join(' ')
  return [
    `ralph ${command.name}: ${command.summary}`,
    ...(isBuilt(command) ? [] : ['This command is not built yet in this version.']),
    '',
    `Usage: ${usage}`,
    ...section('Arguments', command.about ?? []),
    ...section('Options', [...(command.options ?? []), ...commonOptions].map(optionRow)),
    '',
    `Example: ${command.example}`,
  ].join('\n')
}

type TableRow = readonly [left: string, right: string]

const isBuilt = (command: CommandSpec): boolean => command.load !== undefined

const commandRow = (command: CommandSpec): TableRow => [
  [command.name, ...(command.args ?? [])].join(' '),
  command.summary,
]

function optionRow({ flags, description, default: value, defaultText = value }: OptionSpec): TableRow {
  return [flags, defaultText === undefined ? description : `${description} (default: ${defaultText})`]
}

function section(title: string, rows: readonly TableRow[]): string[] {
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([left]) => left.length))
  return ['', `${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)]
}
