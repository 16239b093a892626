import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Screen } from '../terminal/display.ts'

/** What a command hands to the shell. 70 is given by `main.ts` alone: no command plans its own bugs. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130

/** Where a command's text goes. Only `print.ts` and `main.ts` hold the real streams. */
export interface Output {
  /** One line (or several, joined by `\n`) for people and programs that read the result. */
  line(text: string): void
  /** The same for remarks and trouble, so that a pipe carries results only. */
  remark(text: string): void
  /** Whether nobody reads the lines any more (`| head`): who would go on for ever has no reason to. */
  isClosed?(): boolean
  /** Standard output itself, for what rewrites its lines. */
  screen?(): Screen
}

/** One option, in the words of commander's `.option(flags, description, default)`; help is made from the same line. */
export interface OptionSpec {
  readonly flags: string
  readonly description: string
  readonly default?: string
  /** The default as the help shows it, where the parser must tell what was given from what was not. */
  readonly defaultText?: string
  /** Other long names of it; understood, and left out of the help. */
  readonly aliases?: readonly string[]
  /** May be given more than once; its value is then a list. */
  readonly repeatable?: true
}

export type OptionValue = string | boolean | readonly string[]

/** A command line that was understood: everything that is not in the table has been refused before. */
export interface Input {
  /** Positional arguments in order; what is optional and was not given is not in the list. */
  readonly args: readonly string[]
  /** By the option's camel-case long name: `--project-dir` is `projectDir`. */
  readonly options: Readonly<Record<string, OptionValue | undefined>>
  /** Both as they were typed, for who starts the same command again. */
  readonly words?: readonly string[]
  readonly output: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory that the user stands in, absolute. */
  readonly cwd: string
  /** Who answers questions, where it is not the person at the terminal. */
  readonly ask?: Ask
}

/** One question, one line back; null when nobody answers any more. */
export type Ask = (question: string) => Promise<string | null>

/** Options in, one call, exit code out. */
export type RunCommand = (input: Input) => Promise<Result<ExitCode, Failure>>

/** A line of the command table. */
export interface CommandSpec {
  readonly name: string
  /** Positional arguments as commander writes them: `<required>`, `[optional]`, `<many...>`. */
  readonly args?: readonly string[]
  readonly summary: string
  readonly example: string
  /** What the arguments mean, for the help: the argument, and its words. */
  readonly about?: readonly (readonly [argument: string, description: string])[]
  readonly options?: readonly OptionSpec[]
  /** Loads the code only when it is run. A command without it is not built yet and says so. */
  readonly load?: () => Promise<RunCommand>
}
