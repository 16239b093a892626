import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { CommandSpec, ExitCode, Surroundings } from './command.ts'
import { helpForAll, helpForCommand } from './help.ts'
import { parseOptions } from './parse-options.ts'
import { understand } from './understand.ts'
import { version } from './version.ts'

/** One command line from words to exit code. */
export async function dispatch(
  words: readonly string[],
  commands: readonly CommandSpec[],
  surroundings: Surroundings,
): Promise<Result<ExitCode, Failure>> {
  const understood = understand(words, commands)
  if (!understood.ok) return understood
  const intent = understood.value
  if (intent.kind === 'version') {
    surroundings.output.line(version)
    return ok(0)
  }
  if (intent.kind === 'help') {
    surroundings.output.line(intent.command === null ? helpForAll(commands) : helpForCommand(intent.command))
    return ok(0)
  }
  const { command } = intent
  if (command.load === undefined) return err({ reason: 'not-built-yet', command: command.name })
  const parsed = await parseOptions(command, intent.words)
  if (!parsed.ok) return parsed
  const misplaced = intent.implied ? commands.find(({ name }) => name === parsed.value.args[0]) : undefined
  if (misplaced !== undefined) {
    return err({
      reason: 'usage',
      message: `The command "${misplaced.name}" must come first.`,
      fix: `Write "ralph ${misplaced.name} …", or "ralph run ${misplaced.name}" if that is the task.`,
    })
  }
  const run = await command.load()
  return run({ ...surroundings, ...parsed.value })
}
