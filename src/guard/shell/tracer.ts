import { parse } from 'unbash'
import type { CommandNode, PipelineNode, AndOr, Statement, Function as FunctionNode, ParsedScript } from 'unbash'
import type { Redirection, Word, WordPart, SyntaxNode, Command, CompoundList, While } from 'unbash'
import { forEachChild } from 'unbash'
import type { Place } from '../place.ts'
import { expandText, expandWord, partsText, type Expansion } from './expand-word.ts'
import { inside } from './inside.ts'
import { tooMany, unknown } from './pattern.ts'
import { runWords } from './run-words.ts'
import { scanScript } from './scan-script.ts'
import { environmentIn, innerOf, lookUp, type Scope } from './scope.ts'
import type { Input, Ran } from './trace.ts'

/** What stands behind a command: whether the next one runs only after this one has succeeded. */
export type Joint = '&&' | '||' | ';'

/** What stands around a command. */
export interface Around {
  readonly input: Input
  readonly through: readonly string[]
  readonly then: Joint
  readonly isPiped: boolean
  readonly isBackground: boolean
  readonly isEndless: boolean
}

/** What one command has of its own. */
export interface Own extends Around {
  readonly environment: ReadonlyMap<string, readonly string[]>
  readonly outputs: readonly Ran[]
  readonly variables: readonly string[]
  readonly writes: readonly string[]
}

/** What the words of a command run before it is run itself. */
interface Frame {
  readonly outputs: Ran[]
  readonly variables: string[]
  readonly processes: { readonly commands: Ran[]; readonly texts: string[] }
}

/** The texts that something may print; none: nobody knows. */
export type Printed = readonly string[]

const maxValues = 256
const maxScripts = 200
/** Characters that are read or made. */
const maxWork = 8_000_000
const maxDepth = 150
const maxPrinted = 16
const noInput: Input = { commands: [], texts: [], files: [] }
const outermost: Around = {
  input: noInput,
  through: [],
  then: ';',
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
  private readonly frames: Frame[] = []
  private scripts = 0
  private work = 0
  private depth = 0
  /** In how many commands it is that may not be run. */
  private uncertain = 0
  private changes = 0
  private loops = 0

  constructor(place: Place) {
    this.place = place
    this.visited = new Set([place.cwd])
  }

  script(text: string, scope: Scope, around: Around): Printed {
    if (++this.scripts > maxScripts) this.unread ??= `it has more than ${maxScripts} scripts inside of scripts`
    this.spend(text.length)
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
      return parse(text)
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
    if (this.work > maxWork) this.unread ??= 'it takes too long to tell what it does'
  }

  statements(list: readonly Statement[], scope: Scope, around: Around): Printed {
    let printed: Printed = ['']
    for (const { command, background } of list) {
      if (this.unread !== null) return []
      const isBackground = background === true
      const own = isBackground ? { ...around, isBackground } : around
      printed = both(printed, this.node(command, isBackground ? innerOf(scope) : scope, own))
    }
    return printed
  }

  node(node: CommandNode | PipelineNode | AndOr | CompoundList, scope: Scope, around: Around): Printed {
    if (this.depth > maxDepth) this.unread ??= 'it is nested too deeply'
    if (this.unread !== null) return []
    this.depth++
    const printed = this.nodeInside(node, scope, around)
    this.depth--
    return printed
  }

  private nodeInside(node: CommandNode | PipelineNode | AndOr | CompoundList, scope: Scope, around: Around): Printed {
    switch (node.type) {
      case 'Command':
        return this.command(node, scope, around)
      case 'CompoundList':
        return this.statements(node.commands, scope, around)
      case 'AndOr': {
        let printed: Printed = ['']
        for (const [index, command] of node.commands.entries()) {
          const then = node.operators[index] ?? around.then
          printed = both(
            printed,
            this.perhaps(index > 0, () => this.node(command, scope, { ...around, then })),
          )
        }
        return printed
      }
      case 'Pipeline':
        return this.pipeline(node.commands, scope, around)
      case 'Redirected': {
        const frame = this.openFrame()
        const { writes, input } = this.redirected(node.redirects, scope)
        this.frames.pop()
        this.written.push(...writes)
        return this.node(node.command, scope, {
          ...around,
          input: withProcesses(joinInput(input, around.input), frame),
        })
      }
      case 'Subshell':
        return this.statements(node.body.commands, innerOf(scope), around)
      case 'BraceGroup':
        return this.statements(node.body.commands, scope, around)
      case 'If':
        this.statements(node.clause.commands, scope, around)
        return this.perhaps(true, () => {
          this.statements(node.then.commands, scope, around)
          for (const { clause, then } of node.elif) {
            this.statements(clause.commands, scope, around)
            this.statements(then.commands, scope, around)
          }
          if (node.else !== undefined) this.statements(node.else.commands, scope, around)
          return []
        })
      case 'For':
      case 'Select': {
        const values = node.wordlist?.flatMap((word) => this.words(word, scope).flat()) ?? scope.parameters ?? [unknown]
        this.remember(scope, node.name.value, values)
        return this.loop(node.body, scope, around)
      }
      case 'While': {
        const isEndless = around.isEndless || isAlways(node)
        this.statements(node.clause.commands, scope, around)
        return this.loop(node.body, scope, { ...around, isEndless })
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) this.look(part, scope)
        return this.loop(node.body, scope, node.test === undefined ? { ...around, isEndless: true } : around)
      case 'Case':
        this.texts(node.word, scope)
        return this.perhaps(true, () => {
          for (const { pattern, body } of node.items) {
            for (const word of pattern) this.look(word, scope)
            this.statements(body.commands, scope, around)
          }
          return []
        })
      case 'Function':
        return this.define(node, scope, around)
      case 'Coproc':
        return this.node(node.body, innerOf(scope), around)
      default:
        this.look(node, scope)
        return ['']
    }
  }

  private perhaps(isUncertain: boolean, trace: () => Printed): Printed {
    if (!isUncertain) return trace()
    this.uncertain++
    const printed = trace()
    this.uncertain--
    return printed
  }

  /** Twice where it changes something: the second time around it begins with that. */
  private loop(body: CompoundList, scope: Scope, around: Around): Printed {
    const before = this.changes
    this.loops++
    this.perhaps(true, () => {
      this.statements(body.commands, scope, around)
      if (this.changes > before && this.loops === 1) this.statements(body.commands, scope, around)
      return []
    })
    this.loops--
    return []
  }

  private define({ name, body }: FunctionNode, scope: Scope, around: Around): Printed {
    scope.functions.set(name.value, body)
    const inner = innerOf(scope)
    inner.parameters = null
    this.perhaps(true, () => this.node(body, inner, { ...around, through: [...around.through, `${name.value}()`] }))
    return ['']
  }

  private pipeline(commands: readonly CommandNode[], scope: Scope, around: Around): Printed {
    let { input } = around
    let printed: Printed = []
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1
      const first = this.ran.length
      printed = this.node(command, isLast ? scope : innerOf(scope), {
        ...around,
        input,
        then: isLast ? around.then : ';',
        isPiped: around.isPiped || !isLast,
      })
      const before = index === 0 ? [] : input.commands
      input = { commands: [...this.ran.slice(first).toReversed(), ...before].slice(0, 1000), texts: printed, files: [] }
    }
    return printed
  }

  private openFrame(): Frame {
    const frame: Frame = { outputs: [], variables: [], processes: { commands: [], texts: [] } }
    this.frames.push(frame)
    return frame
  }

  private command(node: Command, scope: Scope, around: Around): Printed {
    const frame = this.openFrame()
    const { writes, input } = this.redirected(node.redirects, scope)
    const assigned = new Map<string, readonly string[]>()
    for (const part of node.prefix) {
      if (part.type !== 'Assignment') continue
      if (part.value.type === 'ArrayValue') {
        const elements = part.value.elements.flatMap((word) => this.words(word, scope).flat())
        scope.arrays.set(part.name, [
          ...(part.append === true ? (lookUp(scope, 'arrays', part.name) ?? []) : []),
          ...elements,
        ])
        this.remember(scope, part.name, elements.slice(0, 1))
      } else assigned.set(part.name, this.appended(part.append, part.name, this.texts(part.value, scope), scope))
      if (part.index !== undefined) this.look(part.index, scope)
    }
    const [head = [[]], ...rest] =
      node.name === undefined ? [] : [node.name, ...node.args].map((word) => this.argument(word, scope))
    this.frames.pop()
    this.written.push(...writes)
    const args = rest.flat(2)
    const own = {
      writes,
      outputs: frame.outputs,
      variables: frame.variables,
      environment: environmentIn(scope, assigned),
    }
    const joined = withProcesses(joinInput(input, around.input), frame)
    // It has been read: an empty word list only sets variables.
    if (node.name === undefined) {
      for (const [name, values] of assigned) this.remember(scope, name, values)
      const { directories } = scope
      if (node.prefix.some(({ type }) => type === 'Assignment')) {
        this.ran.push({
          name: '',
          word: '',
          args: [],
          directories,
          ...around,
          ...own,
          environment: assigned,
          input: joined,
        })
      }
      return ['']
    }
    // A function or `eval` sees them too.
    const inner = assigned.size === 0 ? scope : assignedIn(scope, assigned)
    let printed: Printed = []
    for (const first of head.slice(0, maxPrinted)) {
      printed = runWords(this, [...first, ...args], inner, { ...around, ...own, input: joined })
    }
    if (inner !== scope) scope.directories = inner.directories
    return printed
  }

  private appended(
    isAppended: boolean | undefined,
    name: string,
    values: readonly string[],
    scope: Scope,
  ): readonly string[] {
    if (isAppended !== true) return values
    const before = lookUp(scope, 'variables', name) ?? ['']
    return before.flatMap((text) => values.map((value) => text + value)).slice(0, maxValues)
  }

  /** An argument that is an assignment (`export A=b`) is one word for each value. */
  private argument(word: Command['args'][number], scope: Scope): string[][] {
    if (word.type === 'Word') return this.words(word, scope)
    const { name, value, append } = word
    if (value.type === 'ArrayValue') {
      const elements = value.elements.flatMap((element) => this.words(element, scope).flat())
      scope.arrays.set(name, elements)
      return [[`${name}=${elements[0] ?? ''}`]]
    }
    return [this.appended(append, name, this.texts(value, scope), scope).map((text) => `${name}=${text}`)]
  }

  private redirected(redirects: readonly Redirection[], scope: Scope): { writes: string[]; input: Input } {
    const writes: string[] = []
    const texts: string[] = []
    const files: string[] = []
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') {
        const { parts, text } = redirect.body
        const found = parts === undefined ? [text] : partsText(parts, this.expansionIn(scope))
        texts.push(...found.map((body) => (redirect.operator === '<<-' ? body.replaceAll(/^\t+/gm, '') : body)))
      } else if (redirect.target !== undefined) {
        const targets = this.texts(redirect.target, scope)
        if (redirect.type === 'HereString') texts.push(...targets.map((text) => `${text}\n`))
        else if (!redirect.operator.includes('&') || !targets.every((text) => /^(?:\d+-?|-)$/.test(text))) {
          const paths = targets.flatMap((path) => inside(scope.directories, path))
          if (redirect.operator.includes('<')) files.push(...paths)
          if (redirect.operator.includes('>')) writes.push(...paths)
        }
      }
    }
    for (const text of texts) this.spend(text.length)
    this.read.push(...files)
    return { writes, input: { commands: [], texts, files } }
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
    } else forEachChild(node, (child) => this.look(child, scope))
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

  private expansionIn(scope: Scope): Expansion {
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
    if (name !== 'IFS') this.frames.at(-1)?.variables.push(name)
    const values = lookUp(scope, 'variables', name)
    if (values !== undefined) return values
    if (/^\d+$/.test(name))
      return name === '0' ? ['bash'] : (scope.parameters?.slice(Number(name) - 1, Number(name)) ?? [])
    if (name === 'PWD') return scope.directories
    if (name === 'IFS') return [' \t\n']
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

function isAlways({ kind, clause }: While): boolean {
  const [only, ...others] = clause.commands
  if (only?.command.type !== 'Command' || others.length > 0) return false
  const name = only.command.name?.value ?? ''
  return kind === 'while' ? name === 'true' || name === ':' : name === 'false'
}

function assignedIn(outer: Scope, assigned: ReadonlyMap<string, readonly string[]>): Scope {
  const inner = innerOf(outer)
  for (const [name, values] of assigned) inner.variables.set(name, values)
  return inner
}

/** What a command has of its own stands in front of what the pipe brings. */
function joinInput(own: Input, given: Input): Input {
  if (own.texts.length + own.files.length + own.commands.length === 0) return given
  return own
}

/** What `<(…)` prints can be read like what a pipe brings. */
function withProcesses(input: Input, { processes }: Frame): Input {
  if (processes.commands.length === 0) return input
  return {
    commands: [...processes.commands, ...input.commands],
    texts: [...processes.texts, ...input.texts],
    files: input.files,
  }
}

/** One after the other. */
function both(first: Printed, second: Printed): Printed {
  if (first.length === 1 && first[0] === '') return second
  if (first.length === 0 || second.length === 0 || first.length * second.length > maxPrinted) return []
  return first.flatMap((text) => second.map((next) => text + next))
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
