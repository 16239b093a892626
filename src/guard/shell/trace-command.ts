import type { Command, Redirection } from 'unbash'
import { partsText } from './expand-word.ts'
import { inside } from './inside.ts'
import { runWords } from './run-words.ts'
import { environmentIn, innerOf, lookUp, type Scope } from './scope.ts'
import type { Input } from './trace.ts'
import type { Around, Frame, Printed, Tracer } from './tracer.ts'

const maxValues = 256
const maxAlternatives = 16

/** They change the shell itself, whatever is set in front of them. */
const setting = new Set(['read', 'export', 'declare', 'local', 'readonly', 'typeset', 'mapfile', 'readarray', 'eval'])

/** Follows a simple command: its redirections, its variables, its words. */
export function traceCommand(tracer: Tracer, node: Command, scope: Scope, around: Around): Printed {
  const frame = tracer.openFrame()
  const { writes, input } = traceRedirections(tracer, node.redirects, scope)
  const assigned = new Map<string, readonly string[]>()
  for (const part of node.prefix) {
    if (part.type !== 'Assignment') continue
    if (part.value.type === 'ArrayValue') {
      const elements = part.value.elements.flatMap((word) => tracer.words(word, scope).flat())
      scope.arrays.set(part.name, [
        ...(part.append === true ? (lookUp(scope, 'arrays', part.name) ?? []) : []),
        ...elements,
      ])
      tracer.remember(scope, part.name, elements.slice(0, 1))
    } else assigned.set(part.name, appended(part.append, part.name, tracer.texts(part.value, scope), scope))
    if (part.index !== undefined) tracer.look(part.index, scope)
  }
  const [head = [[]], ...rest] =
    node.name === undefined ? [] : [node.name, ...node.args].map((word) => argument(tracer, word, scope))
  tracer.frames.pop()
  for (const path of writes) tracer.written.push(path)
  const args = rest.flat(2)
  const own = {
    writes,
    outputs: frame.outputs,
    variables: frame.variables,
    inherited: frame.inherited,
    environment: environmentIn(scope, assigned),
  }
  const joined = withProcesses(joinInput(input, around.input), frame)
  if (node.name === undefined) {
    for (const [name, values] of assigned) tracer.remember(scope, name, values)
    const { joint: _, ...given } = around
    const { directories } = scope
    tracer.ran.push({
      ...given,
      ...own,
      name: '',
      word: '',
      args: [],
      directories,
      environment: assigned,
      input: joined,
    })
    return ['']
  }
  // A function or `eval` sees them too.
  const isOwn = assigned.size === 0 || setting.has(head[0]?.[0] ?? '')
  const inner = isOwn ? scope : assignedIn(scope, assigned)
  let printed: Printed = []
  for (const first of head.slice(0, maxAlternatives)) {
    printed = runWords(tracer, [...first, ...args], inner, { ...around, ...own, input: joined })
  }
  tracer.keep(writes, printed)
  if (inner !== scope) scope.directories = inner.directories
  return printed
}

function appended(
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
function argument(tracer: Tracer, word: Command['args'][number], scope: Scope): string[][] {
  if (word.type === 'Word') return tracer.words(word, scope)
  const { name, value, append } = word
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((element) => tracer.words(element, scope).flat())
    scope.arrays.set(name, elements)
    return [[`${name}=${elements[0] ?? ''}`]]
  }
  return [appended(append, name, tracer.texts(value, scope), scope).map((text) => `${name}=${text}`)]
}

export function traceRedirections(
  tracer: Tracer,
  redirects: readonly Redirection[],
  scope: Scope,
): { writes: string[]; input: Input } {
  const writes: string[] = []
  const texts: string[] = []
  const files: string[] = []
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      const { parts, text } = redirect.body
      const found = parts === undefined ? [text] : partsText(parts, tracer.expansionIn(scope))
      texts.push(...found.map((body) => (redirect.operator === '<<-' ? body.replaceAll(/^\t+/gm, '') : body)))
    } else if (redirect.target !== undefined) {
      const targets = tracer.texts(redirect.target, scope)
      if (redirect.type === 'HereString') texts.push(...targets.map((text) => `${text}\n`))
      else if (!redirect.operator.includes('&') || !targets.every((text) => /^(?:\d+-?|-)$/.test(text))) {
        const paths = targets.flatMap((path) => inside(scope.directories, path))
        if (redirect.operator.includes('<')) files.push(...paths)
        if (redirect.operator.includes('>')) writes.push(...paths)
      }
    }
  }
  for (const text of texts) tracer.spend(text.length)
  for (const path of files) tracer.read.push(path)
  return { writes, input: { commands: [], texts, files } }
}

function assignedIn(outer: Scope, assigned: ReadonlyMap<string, readonly string[]>): Scope {
  const inner = innerOf(outer)
  for (const [name, values] of assigned) inner.variables.set(name, values)
  return inner
}

/** What a command has of its own stands in front of what the pipe brings. */
export function joinInput(own: Input, given: Input): Input {
  if (own.texts.length + own.files.length + own.commands.length === 0) return given
  return own
}

/** What `<(…)` prints can be read like what a pipe brings. */
export function withProcesses(input: Input, { processes }: Frame): Input {
  if (processes.commands.length === 0) return input
  return {
    commands: [...processes.commands, ...input.commands],
    texts: [...processes.texts, ...input.texts],
    files: input.files,
  }
}
