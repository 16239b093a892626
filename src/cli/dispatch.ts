import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { Ask, CommandSpec, ExitCode, Output } from './command.ts'
import { helpForAll, helpForCommand } from './help.ts'
import { parseOptions } from './parse-options.ts'
import { understand } from './understand.ts'
import { version } from './version.ts'

/** The world as `main.ts` finds it, so that nothing below touches a global. */
export interface Surroundings {
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asked for only by a command that is run: help and version work in a directory that was removed, too. */
  readonly cwd: () => Result<string, Failure>
  readonly ask?: Ask
}

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
  const [word] = parsed.value.args
  if (intent.implied && word !== undefined && !/\s/.test(word)) {
    // Behind options a single word may be a command, or one that was mistyped: it must not start an agent.
    return err({
      reason: 'usage',
      message: `Behind options "${visibleLine(word, 80)}" is no command.`,
      fix: `Write the command first; if it is the task: ralph run "${visibleLine(word, 80)}".`,
    })
  }
  const cwd = surroundings.cwd()
  if (!cwd.ok) return cwd
  const run = await command.load()
  return run({ ...surroundings, ...parsed.value, words: intent.words, cwd: cwd.value })
}
