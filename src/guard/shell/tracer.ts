import { resolve } from 'node:path'
import type { ParsedScript, Statement, SyntaxNode, Word, WordPart } from 'unbash'
import type { Place } from '../place.ts'
import { expandText, expandWord, type Expansion } from './expand-word.ts'
import { eachChild, parseScript } from './parse-script.ts'
import { tooMany } from './pattern.ts'
import { plainWords } from './plain-words.ts'
import { runWords } from './run-words.ts'
import { scanScript } from './scan-script.ts'
import { environmentIn, innerOf, lookUp, type Scope } from './scope.ts'
import { oneAfter, traceNode, type Node } from './trace-node.ts'
import type { Input, Ran } from './trace.ts'

/** What stands behind a command: whether the next one runs only after this one has succeeded. */
export type Joint = '&&' | '||' | ';'

/** What stands around a command. */
export interface Around {
  readonly input: Input
  readonly through: readonly string[]
  readonly joint: Joint
  readonly isPiped: boolean
  readonly isBackground: boolean
  readonly isEndless: boolean
}

/** What one command has of its own. */
export interface Own extends Around {
  readonly environment: ReadonlyMap<string, readonly string[]>
  readonly outputs: readonly Ran[]
  readonly variables: readonly string[]
  readonly inherited: readonly string[]
  readonly writes: readonly string[]
}

/** What the words of a command run before it is run itself. */
export interface Frame {
  readonly outputs: Ran[]
  readonly variables: string[]
  readonly inherited: string[]
  readonly processes: { readonly commands: Ran[]; readonly texts: string[] }
}

/** The texts that something may print; none: nobody knows. */
export type Printed = readonly string[]

const maxValues = 256
const maxScripts = 200
const maxCommands = 1000
/** Characters that are read or made. */
const maxWork = 8_000_000
const maxDepth = 150
const maxKept = 50
const noInput: Input = { commands: [], texts: [], files: [] }
const noAssignments: ReadonlyMap<string, readonly string[]> = new Map()
const outermost: Around = {
  input: noInput,
  through: [],
  joint: ';',
  isPiped: false,
  isBackground: false,
  isEndless: false,
}
const leading = /^(?:\s|(?:if|then|elif|else|while|until|do|time|coproc|fi|done|esac|!|\{)(?=\s|$))+/

export class Tracer {
  readonly ran: Ran[] = []
  readonly written: string[] = []
  readonly read: string[] = []
  unread: string | null = null
  readonly place: Place
  readonly visited: Set<string>
  readonly outermost: Around = outermost
  readonly frames: Frame[] = []
  /** What files have in them that this script writes, by their path. */
  readonly kept = new Map<string, readonly string[]>()
  private scripts = 0
  private work = 0
  private depth = 0
  /** In how many commands it is that may not be run. */
  private uncertain = 0
  changes = 0
  loops = 0

  constructor(place: Place) {
    this.place = place
    this.visited = new Set([place.cwd])
  }

  script(text: string, scope: Scope, around: Around): Printed {
    if (++this.scripts > maxScripts) this.unread ??= `it has more than ${maxScripts} scripts inside of scripts`
    this.spend(text.length)
    const words = this.unread === null ? plainWords(text) : null
    if (words !== null) {
      const own = {
        environment: environmentIn(scope, noAssignments),
        outputs: [],
        variables: [],
        inherited: [],
        writes: [],
      }
      return runWords(this, words, scope, { ...around, ...own })
    }
    const { unread, pieces } = scanScript(text)
    this.unread ??= unread
    if (this.unread !== null) return []
    const parsed = this.parse(text)
    if (parsed === null) return []
    const printed = this.statements(parsed.commands, scope, around)
    if (parsed.errors !== undefined) this.pieces(pieces, scope, around)
    return printed
  }

  /** What bash cannot read, it does not run; another shell may. So each piece counts as if it stood alone. */
  private pieces(pieces: readonly string[], scope: Scope, around: Around): void {
    for (const piece of pieces) {
      const text = piece.replace(leading, '')
      const parsed = text === '' || this.unread !== null ? null : this.parse(text)
      if (parsed !== null) this.statements(parsed.commands, innerOf(scope), around)
    }
  }

  private parse(text: string): ParsedScript | null {
    try {
      return parseScript(text)
    } catch (error) {
      // It calls itself for what is nested, and so deep goes nobody.
      if (!(error instanceof RangeError)) throw error
      this.unread ??= 'it is nested too deeply'
      return null
    }
  }

  /** A short text can ask for a lot of work: variables that double, shells that read shells. */
  spend(characters: number): void {
    this.work += characters + 20
    if (this.ran.length > maxCommands) this.unread ??= `it has more than ${maxCommands} commands`
    if (this.work > maxWork) this.unread ??= 'it takes too long to tell what it does'
  }

  statements(list: readonly Statement[], scope: Scope, around: Around): Printed {
    let printed: Printed = ['']
    for (const { command, background } of list) {
      if (this.unread !== null) return []
      const isBackground = background === true
      const own = isBackground ? { ...around, isBackground } : around
      printed = oneAfter(printed, this.node(command, isBackground ? innerOf(scope) : scope, own))
    }
    return printed
  }

  node(node: Node, scope: Scope, around: Around): Printed {
    if (this.depth > maxDepth) this.unread ??= 'it is nested too deeply'
    if (this.unread !== null) return []
    this.depth++
    const printed = traceNode(this, node, scope, around)
    this.depth--
    return printed
  }

  perhaps(isUncertain: boolean, trace: () => Printed): Printed {
    if (!isUncertain) return trace()
    this.uncertain++
    const printed = trace()
    this.uncertain--
    return printed
  }

  /** What was printed into files: it may be run from there. */
  keep(paths: readonly string[], printed: Printed): void {
    if (printed.length === 0 || this.kept.size > maxKept) return
    for (const path of paths) {
      const plain = resolve('/', path)
      this.kept.set(plain, [...(this.kept.get(plain) ?? []), ...printed].slice(0, maxKept))
    }
  }

  openFrame(): Frame {
    const frame: Frame = { outputs: [], variables: [], inherited: [], processes: { commands: [], texts: [] } }
    this.frames.push(frame)
    return frame
  }

  words(word: Word, scope: Scope): string[][] {
    return this.checked(expandWord(word, this.expansionIn(scope)), (list) => list.forEach((text) => this.check(text)))
  }

  texts(word: Word, scope: Scope): string[] {
    return this.checked(expandText(word, this.expansionIn(scope)), (text) => this.check(text))
  }

  private checked<T>(values: T[], check: (value: T) => void): T[] {
    values.forEach(check)
    return values
  }

  private check(text: string): void {
    this.spend(text.length)
    if (text.includes(tooMany)) this.unread ??= 'its braces make too many words'
  }

  /** Whatever runs inside of something that is not followed itself. */
  look(node: SyntaxNode, scope: Scope): void {
    if (this.unread !== null) return
    if (++this.depth > maxDepth) this.unread ??= 'it is nested too deeply'
    this.spend(0)
    if (
      node.type === 'CommandExpansion' ||
      node.type === 'ProcessSubstitution' ||
      node.type === 'ArithmeticCommandExpansion'
    ) {
      this.nested(node, scope)
    } else eachChild(node, (child) => this.look(child, scope))
    this.depth--
  }

  private nested(part: { readonly script: ParsedScript | undefined; readonly text: string }, scope: Scope): Printed {
    if (++this.depth > maxDepth) this.unread ??= 'it is nested too deeply'
    const script = this.unread === null ? part.script : undefined
    const inner = innerOf(scope)
    const printed = script === undefined ? [] : this.statements(script.commands, inner, this.outermost)
    if (script?.errors !== undefined)
      this.pieces(scanScript(part.text.replace(/^[$<>]?[(`]/, '')).pieces, inner, this.outermost)
    this.depth--
    return printed
  }

  /** Values add up where it is not known whether an assignment is run. */
  remember(scope: Scope, name: string, values: readonly string[]): void {
    const before = scope.variables.get(name) ?? []
    const all = this.uncertain === 0 ? unique(values) : unique([...values, ...before])
    if (all.length > maxValues) this.unread ??= `a variable in it has more than ${maxValues} values`
    if (all.length !== before.length || all.some((value, index) => value !== before[index])) this.changes++
    scope.variables.set(name, all.slice(0, maxValues))
  }

  moved(scope: Scope, directories: readonly string[]): void {
    scope.directories = directories
    this.changes++
  }

  expansionIn(scope: Scope): Expansion {
    return {
      home: this.place.home,
      valuesOf: (name) => this.valuesOf(scope, name),
      listOf: (name) => (name === '@' ? scope.parameters : (lookUp(scope, 'arrays', name) ?? null)),
      outputsOf: (part) => this.outputsOf(part, scope),
      look: (part) => {
        if (part.type === 'ParameterExpansion') {
          // The operand of a default is expanded, and looked at, where its text is wanted.
          if (part.operation !== undefined && part.operation.type !== 'Default') this.look(part.operation, scope)
          if (part.index !== undefined) this.look(part.index, scope)
        } else this.look(part, scope)
      },
    }
  }

  private valuesOf(scope: Scope, name: string): readonly string[] {
    const frame = name === 'IFS' ? undefined : this.frames.at(-1)
    frame?.variables.push(name)
    const values = lookUp(scope, 'variables', name)
    if (values !== undefined) return values
    frame?.inherited.push(name)
    if (/^\d+$/.test(name))
      return name === '0' ? ['bash'] : (scope.parameters?.slice(Number(name) - 1, Number(name)) ?? [])
    if (name === 'PWD') return scope.directories
    if (name === 'IFS') return [' \t\n']
    if (name === 'TMPDIR') return [this.place.variables[name] ?? '/tmp']
    const given = this.place.variables[name]
    return given === undefined ? [] : [given]
  }

  private outputsOf(part: WordPart, scope: Scope): Printed {
    if (part.type !== 'CommandExpansion' && part.type !== 'ProcessSubstitution') return []
    const first = this.ran.length
    const printed = this.nested(part, scope)
    const commands = this.ran.slice(first).toReversed()
    const frame = this.frames.at(-1)
    frame?.outputs.push(...commands)
    if (part.type === 'ProcessSubstitution') {
      if (part.operator === '<') {
        frame?.processes.commands.push(...commands)
        frame?.processes.texts.push(...printed)
      }
      return []
    }
    return printed.map((text) => text.replace(/\n+$/, ''))
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
