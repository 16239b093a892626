import type { Place } from '../place.ts'
import { isAmong } from '../among.ts'
import { nameOf } from './name-of.ts'
import { othersRunning } from './others-running.ts'
import { plainWords } from './plain-words.ts'
import { traceFully } from './trace-fully.ts'

/** A command as it would be run: its name without a directory, its arguments after expansion. */
export interface Ran {
  /** In small letters, as macOS finds `RM` too; empty where variables are only set. */
  readonly name: string
  /** As it is written, after expansion; with the marks of `pattern.ts` where not all of it is known. */
  readonly word: string
  readonly args: readonly string[]
  /** The directories it may be run in; one that is not known is `unknown`. */
  readonly directories: readonly string[]
  /** What is set in front of it, or exported before, as far as it is known. */
  readonly environment: ReadonlyMap<string, readonly string[]>
  readonly input: Input
  /** The commands whose output is in its words: `$(…)`, backquotes, `<(…)`. */
  readonly outputs: readonly Ran[]
  /** The programs that run it, outermost first: sudo, env, xargs, find …; a function as `name()`. */
  readonly through: readonly string[]
  /** Files behind its `>`: absolute, as in `Trace.written`. */
  readonly writes: readonly string[]
  /** The variables that its words name; what they stand for is in `args`. */
  readonly variables: readonly string[]
  /** Those of them that this script has not set itself. */
  readonly inherited: readonly string[]
  /** What it prints goes to the next command of a pipe, which has it in its `input`. */
  readonly isPiped: boolean
  /** It is not waited for: `&`. */
  readonly isBackground: boolean
  /** It is in a loop whose condition is always true. */
  readonly isEndless: boolean
}

/** What comes on the standard input of a command, and in `<(…)`; all empty: the terminal, or nothing. */
export interface Input {
  /** The commands of the pipe before it, the nearest first. */
  readonly commands: readonly Ran[]
  /** Here-documents and here-strings, and what those commands are known to print. */
  readonly texts: readonly string[]
  /** Files behind `<`: absolute. */
  readonly files: readonly string[]
}

export interface Trace {
  readonly ran: readonly Ran[]
  /** Absolute paths that redirections, or code of other languages, would write. */
  readonly written: readonly string[]
  /** Absolute paths behind `<`. */
  readonly read: readonly string[]
  /** Why not all of it could be read. */
  readonly unread: string | null
}

const noInput: Input = { commands: [], texts: [], files: [] }

/** Goes through a script without running it, and remembers where each command would run and with what. */
export function traceScript(text: string, place: Place): Trace {
  const words = plainWords(text)
  return words === null || mayRunOthers(words) ? traceFully(text, place) : { ...nothing, ran: [ranAlone(words, place)] }
}

const nothing = { written: [], read: [], unread: null }

/** Most commands are one program with a few words, for which nobody has to follow anything. */
function mayRunOthers([word = '', ...args]: readonly string[]): boolean {
  const name = nameOf(word)
  return name === 'git' ? args.some((arg) => gitRunning.test(arg)) : isAmong(othersRunning, name)
}

/** With these words git runs other programs too. */
const gitRunning = /^(?:--exec|--.+-filter|--extcmd|rebase|submodule|bisect)$/

function ranAlone([word = '', ...args]: readonly string[], { cwd }: Place): Ran {
  return {
    name: nameOf(word),
    word,
    args,
    directories: [cwd],
    environment: new Map(),
    input: noInput,
    outputs: [],
    variables: [],
    inherited: [],
    through: [],
    writes: [],
    isPiped: false,
    isBackground: false,
    isEndless: false,
  }
}
