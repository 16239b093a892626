import { resolve } from 'node:path'
import type { Place } from '../place.ts'
import { expandWord, type Expansion } from './expand-word.ts'
import { inside } from './inside.ts'
import { leadingWords } from './leading-words.ts'
import { isWild, tooMany, unknown } from './pattern.ts'
import { plainText } from './plain-text.ts'
import { readScript } from './read-script.ts'
import type { Command, Joint, Step, Word } from './script.ts'
import { shellText } from './shell-text.ts'
import { unwrap } from './unwrap.ts'

/** A command as it would be run: its name without a directory, its arguments after expansion. */
export interface Ran {
  /** Empty where variables are only set, or files only opened. */
  readonly name: string
  /** As it is written, after expansion; with the marks of `pattern.ts` where not all of it is known. */
  readonly word: string
  readonly args: readonly string[]
  /** The directories it may be run in; one that is not known is `unknown`. */
  readonly directories: readonly string[]
  /** What is set in front of it, or exported before, as far as it is known. */
  readonly environment: ReadonlyMap<string, readonly string[]>
  readonly input: Input
  /** The programs that run it, outermost first: sudo, env, xargs, find … */
  readonly through: readonly string[]
  /** Files behind its `>`: absolute, as in `Trace.written`. */
  readonly writes: readonly string[]
  /** The variables that its words name; what they stand for is in `args`. */
  readonly variables: readonly string[]
  /** What it prints goes to the next command of a pipe, which has it in its `input`. */
  readonly isPiped: boolean
  /** The commands whose output is in its words: `$(…)`, backquotes, `<(…)`. */
  readonly outputs: readonly Ran[]
  /** It is not waited for: `&`. */
  readonly isBackground: boolean
  /** It is in a loop whose condition is always true. */
  readonly isEndless: boolean
}

/** What comes on the standard input of a command; all empty: the terminal, or nothing. */
export interface Input {
  /** The commands of the pipe before it, the nearest first. */
  readonly commands: readonly Ran[]
  /** Here-documents and here-strings. */
  readonly texts: readonly string[]
  /** Files behind `<`: absolute. */
  readonly files: readonly string[]
}

export interface Trace {
  readonly ran: readonly Ran[]
  /** Absolute paths that redirections would write. */
  readonly written: readonly string[]
  /** Why not all of it could be read. */
  readonly unread: string | null
}

const maxDirectories = 16
const maxValues = 256
const maxScripts = 200
/** Characters that are read or made. */
const maxWork = 8_000_000
/** No system takes a longer one. */
const maxPath = 4096

/** Goes through a script without running it, and remembers where each command would run and with what. */
export function traceScript(text: string, place: Place): Trace {
  const tracer = new Tracer(place)
  tracer.run(text, { directories: [place.cwd], variables: new Map(), outer: null })
  const { ran, written, unread } = tracer
  return { ran, written, unread }
}

interface Scope {
  directories: readonly string[]
  readonly variables: Map<string, readonly string[]>
  readonly outer: Scope | null
}

class Tracer {
  readonly ran: Ran[] = []
  readonly written: string[] = []
  unread: string | null = null
  private readonly place: Place
  private readonly visited = new Set<string>()
  private scripts = 0
  private work = 0
  private piped: readonly Ran[] = []

  constructor(place: Place) {
    this.place = place
    this.visited.add(place.cwd)
  }

  run(text: string, outermost: Scope): void {
    if (++this.scripts > maxScripts) {
      this.unread = `it has more than ${maxScripts} scripts inside of scripts`
      return
    }
    this.spend(text.length)
    const { steps, unread } = readScript(text)
    this.unread ??= unread
    let scope = outermost
    for (const step of steps) {
      if (this.unread !== null) return
      scope = this.take(step, scope)
    }
  }

  /** A short text can ask for a lot of work: variables that double, shells that read shells. */
  private spend(characters: number): void {
    this.work += characters
    if (this.work > maxWork) this.unread ??= 'it takes too long to tell what it does'
  }

  private expand(word: Word, scope: Scope, isSplit: boolean): string[] {
    const texts = expandWord(word, this.expansionIn(scope), isSplit)
    for (const text of texts) this.spend(text.length)
    if (texts.some((text) => text.includes(tooMany))) this.unread ??= 'its braces make too many words'
    return texts
  }

  private take(step: Step, scope: Scope): Scope {
    if (step.kind === 'enter') return innerOf(scope)
    if (step.kind === 'leave') return scope.outer ?? scope
    this.command(step, scope)
    return scope
  }

  private command(command: Command, scope: Scope): void {
    const { words, assigned } = takeAssignments(command.words)
    const writes = command.writes
      .flatMap((word) => this.expand(word, scope, false))
      .flatMap((path) => inside(scope.directories, path))
    this.written.push(...writes)
    const all = words.flatMap((word) => this.expand(word, scope, true))
    const environment = new Map<string, readonly string[]>()
    for (const { name, value } of assigned) {
      const values = this.expand(value, scope, false)
      environment.set(name, values)
      this.remember(scope, name, values)
    }
    const variables = words.flatMap((word) => word.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))
    const through: string[] = []
    const first = this.ran.length
    const commands = this.piped
    const isOnlySet = all.length === 0 && (assigned.length > 0 || writes.length > 0)
    for (const { name, word, args } of isOnlySet ? [{ name: '', word: '', args: [] }] : unwrap(all)) {
      const documents = () => command.documents.flatMap((word) => this.expand(word, scope, false))
      const input = { commands, texts: documents(), files: [] }
      const ran = {
        name,
        word,
        args,
        directories: scope.directories,
        environment,
        input,
        through: [...through],
        writes,
        variables,
        isPiped: command.joint === '|',
        outputs: [],
        isBackground: command.joint === '&',
        isEndless: false,
      }
      this.called(ran, command, scope)
      through.push(name)
    }
    this.piped = command.joint === '|' ? [...this.ran.slice(first).toReversed(), ...commands] : []
  }

  private called(run: Ran, command: Command, scope: Scope): void {
    const { name, args } = run
    if (name === 'cd' || name === 'pushd' || name === 'popd') this.changeDirectory(args, scope, command.joint)
    else if (name === 'for') this.remember(scope, args[0] ?? '', args.slice(2))
    else if (name === 'export' || name === 'local' || name === 'declare' || name === 'readonly' || name === 'typeset') {
      for (const arg of args) {
        const end = arg.indexOf('=')
        if (end > 0) this.remember(scope, arg.slice(0, end), [arg.slice(end + 1)])
      }
    } else {
      const text = shellText(run, () => run.input.texts)
      const isOwnShell = name !== 'eval'
      if (text !== null) this.run(text, isOwnShell ? innerOf(scope) : scope)
    }
    this.ran.push(run)
  }

  /** Values add up: whether an assignment was run is not known. */
  private remember(scope: Scope, name: string, values: readonly string[]): void {
    const all = unique([...values, ...(scope.variables.get(name) ?? [])])
    if (all.length > maxValues) this.unread ??= `a variable in it has more than ${maxValues} values`
    scope.variables.set(name, all.slice(0, maxValues))
  }

  /** Where it is not certain that it succeeds, what comes next may also run where this one did. */
  private changeDirectory(args: readonly string[], scope: Scope, then: Joint): void {
    const target = args.find((arg) => !/^-[A-Za-z@-]+$/.test(arg)) ?? this.place.home
    this.spend(1000 * scope.directories.length)
    const next = target === '-' ? [...this.visited] : inside(scope.directories, target).map(settle)
    const isCertain =
      target !== '-' && (then === '&&' || next.every((path) => !isWild(path) && this.place.disk.isDirectory(path)))
    scope.directories = unique(isCertain ? next : [...next, ...scope.directories]).slice(0, maxDirectories)
    for (const path of next) if (this.visited.size < maxDirectories) this.visited.add(path)
  }

  private expansionIn(scope: Scope): Expansion {
    const { place } = this
    return {
      home: place.home,
      valuesOf: (name) => {
        for (let at: Scope | null = scope; at !== null; at = at.outer) {
          const values = at.variables.get(name)
          if (values !== undefined) return values
        }
        if (name === 'PWD') return scope.directories
        const given = place.variables[name]
        return given === undefined ? [] : [given]
      },
      outputsOf: (script) => {
        const text = script.trim()
        if (text === 'pwd' || text === 'pwd -P') return scope.directories
        if (text === 'git rev-parse --show-toplevel') return place.projects
        if (/^mktemp\b/.test(text)) return ['/tmp/tmp.made']
        const [, said] = /^(?:echo|printf)(?: -n| %s)? ([\w./-]+)$/.exec(text) ?? []
        return said === undefined ? [] : [said]
      },
    }
  }
}

const innerOf = (outer: Scope): Scope => ({ directories: outer.directories, variables: new Map(), outer })

/** `a/../b` is `b` for `cd`; behind something unknown nothing can be taken away. */
const settle = (path: string): string =>
  path.startsWith(unknown) || path.length > maxPath ? unknown : resolve('/', path)

const assignment = /^([A-Za-z_]\w*)\+?=/

function takeAssignments(words: readonly Word[]): {
  readonly words: readonly Word[]
  readonly assigned: readonly { readonly name: string; readonly value: Word }[]
} {
  const assigned: { name: string; value: Word }[] = []
  for (const [index, word] of words.entries()) {
    if (assigned.length === 0 && leadingWords.has(plainText(word) ?? '')) continue
    const [first, ...rest] = word
    const [found, name] = first?.kind === 'text' && !first.quoted ? (assignment.exec(first.text) ?? []) : []
    if (first?.kind !== 'text' || found === undefined || name === undefined)
      return { words: words.slice(index), assigned }
    assigned.push({ name, value: [{ ...first, text: first.text.slice(found.length) }, ...rest] })
  }
  return { words: [], assigned }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
