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
  readonly name: string
  readonly args: readonly string[]
  /** The directories it may be run in; one that is not known is `unknown`. */
  readonly directories: readonly string[]
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
    for (const word of command.writes) {
      for (const path of this.expand(word, scope, false)) this.written.push(...inside(scope.directories, path))
    }
    const all = words.flatMap((word) => this.expand(word, scope, true))
    for (const { name, value } of assigned) this.remember(scope, name, this.expand(value, scope, false))
    for (const run of unwrap(all)) this.called(run, command, scope)
  }

  private called(run: Pick<Ran, 'name' | 'args'>, command: Command, scope: Scope): void {
    const { name, args } = run
    if (name === 'cd' || name === 'pushd' || name === 'popd') this.changeDirectory(args, scope, command.joint)
    else if (name === 'for') this.remember(scope, args[0] ?? '', args.slice(2))
    else if (name === 'export' || name === 'local' || name === 'declare' || name === 'readonly' || name === 'typeset') {
      for (const arg of args) {
        const end = arg.indexOf('=')
        if (end > 0) this.remember(scope, arg.slice(0, end), [arg.slice(end + 1)])
      }
    } else {
      const documents = () => command.documents.flatMap((word) => this.expand(word, scope, false))
      const text = shellText(run, documents)
      const isOwnShell = name !== 'eval'
      if (text !== null) this.run(text, isOwnShell ? innerOf(scope) : scope)
    }
    this.ran.push({ name, args, directories: scope.directories })
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
