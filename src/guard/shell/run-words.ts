import { resolve } from 'node:path'
import { codeCalls } from './code-calls.ts'
import { inside } from './inside.ts'
import { codeOf, languageOf } from './interpreter-code.ts'
import { nameOf } from './name-of.ts'
import { isGlob, isWild, nameIsFound, unknown } from './pattern.ts'
import { printedBy } from './printed-by.ts'
import { recipesOf, startedBy } from './run-by-option.ts'
import { innerOf, lookUp, type Scope } from './scope.ts'
import { shells, shellTask } from './shell-text.ts'
import type { Ran } from './trace.ts'
import type { Own, Printed, Tracer } from './tracer.ts'
import { innerOf as wrappedIn } from './unwrap.ts'
import { xargsWords } from './xargs-words.ts'
import { findWords } from './find-words.ts'

const maxThrough = 40
const maxDirectories = 16
/** No system takes a longer one. */
const maxPath = 4096

/** A command with all its words: what it does to the shell, and what it runs. */
export function runWords(tracer: Tracer, words: readonly string[], scope: Scope, own: Own): Printed {
  const [word = '', ...args] = words
  if (words.length === 0) return ['']
  // No system has a program of such a name.
  if (word.length > maxPath) return []
  if (own.through.length > maxThrough) tracer.unread ??= 'it is nested too deeply'
  tracer.spend(words.length)
  if (tracer.unread !== null) return []
  const name = nameOf(word)
  const ran: Ran = {
    name,
    word,
    args,
    directories: scope.directories,
    environment: own.environment,
    input: own.input,
    outputs: own.outputs,
    variables: own.variables,
    inherited: own.inherited,
    through: own.through,
    writes: own.writes,
    isPiped: own.isPiped,
    isBackground: own.isBackground,
    isEndless: own.isEndless,
  }
  tracer.ran.push(ran)
  // No shell takes it for an assignment, but whoever wrote it did.
  if (args.length > 0 && /^[^/\s=]*=/.test(word) && own.through.length < 3) runWords(tracer, args, scope, own)
  if (isWild(word)) runLikely(tracer, words, scope, own)
  const called = callDefined(tracer, word, args, scope, own)
  if (called !== null) return called
  const through = [...own.through, name]
  const changed = changeShell(tracer, name, args, scope, own)
  if (changed !== null) return changed
  const inner = { ...own, through }
  if (shells.has(name)) return runShell(tracer, args, scope, inner)
  const code = codeOf(name, args)
  if (code !== null) runCode(tracer, code.language, code.text === null ? own.input.texts : [code.text], scope, inner)
  else runKept(tracer, word, args, scope, inner)
  if (name === 'source' || name === '.') {
    for (const text of [...own.input.texts, ...keptIn(tracer, scope, args[0])])
      tracer.script(text, scope, { ...inner, input: noInput })
    return []
  }
  if (name === 'xargs' || name === 'gxargs') return runEach(tracer, xargsWords(args, own.input), scope, inner)
  if (name === 'find' || name === 'gfind' || name === 'fd' || name === 'fdfind') {
    return runEach(tracer, findWords(name, args), scope, { ...inner, input: noInput })
  }
  for (const text of [...startedBy(name, own.environment), ...recipesOf(name, args, own.input.texts)])
    tracer.script(text, innerOf(scope), { ...inner, input: noInput })
  const wrapped = wrappedIn(name, args)
  let printed: Printed | null = null
  for (const found of wrapped) {
    if (found.kind === 'script') {
      printed = tracer.script(found.text, name === 'eval' ? scope : innerOf(scope), inner)
    } else {
      const environment = found.assigned.size === 0 ? own.environment : new Map([...own.environment, ...found.assigned])
      const within = innerOf(scope)
      if (found.directory !== null) within.directories = inside(scope.directories, found.directory).map(settle)
      printed = runWords(tracer, found.words, found.directory === null ? scope : within, { ...inner, environment })
    }
  }
  if (printed !== null) return printed
  if (name === 'pwd') return scope.directories
  if (name === 'git' && args.join(' ') === 'rev-parse --show-toplevel') return tracer.place.projects
  return printedBy(name, args, own.input.texts)
}

const noInput = { commands: [], texts: [], files: [] }

/** Names that wildcards in place of a command can be meant to hide. */
const likely =
  'rm mv cp dd cat sh bash zsh curl wget nc chmod chown sudo kill mkfs shred git env python3 perl tee ln find xargs'.split(
    ' ',
  )

/** A name of which not all is known: without what is unknown, or as what its wildcards would find. */
function runLikely(tracer: Tracer, words: readonly string[], scope: Scope, own: Own): void {
  const [word = '', ...args] = words
  const through = [...own.through, unknown]
  if (word === unknown) {
    // It may be nothing at all, or `sudo`.
    if (args.length > 0 && !(args[0] ?? '').startsWith('-')) runWords(tracer, args, scope, { ...own, through })
    return
  }
  const name = nameOf(word)
  const plain = name.replaceAll(unknown, '')
  if (plain !== name && plain !== '' && !isWild(plain)) runWords(tracer, [plain, ...args], scope, { ...own, through })
  if (!isGlob(name)) return
  for (const found of likely)
    if (nameIsFound(name, found)) runWords(tracer, [found, ...args], scope, { ...own, through })
}

function callDefined(tracer: Tracer, word: string, args: readonly string[], scope: Scope, own: Own): Printed | null {
  const alias = lookUp(scope, 'aliases', word)
  if (alias !== undefined && !own.through.includes(`${word}=`)) {
    return tracer.script(`${alias} ${args.join(' ')}`, scope, { ...own, through: [...own.through, `${word}=`] })
  }
  const body = lookUp(scope, 'functions', word)
  if (body === undefined || own.through.includes(`${word}()`)) return null
  const before = scope.parameters
  scope.parameters = args
  const printed = tracer.node(body, scope, { ...own, through: [...own.through, `${word}()`] })
  scope.parameters = before
  return printed
}

const declaring = new Set(['export', 'local', 'declare', 'readonly', 'typeset'])

/** What a builtin does to the shell itself; null where it is no such builtin. */
function changeShell(tracer: Tracer, name: string, args: readonly string[], scope: Scope, own: Own): Printed | null {
  if (name === 'cd' || name === 'pushd' || name === 'popd' || name === 'chdir')
    changeDirectory(tracer, args, scope, own)
  else if (declaring.has(name)) {
    const isExport = name === 'export' || args.some((arg) => /^-\w*x/.test(arg))
    for (const arg of args) {
      const end = arg.indexOf('=')
      const variable = end > 0 ? arg.slice(0, end) : arg
      if (end > 0) tracer.remember(scope, variable, [arg.slice(end + 1)])
      if (isExport && !arg.startsWith('-')) scope.exported.add(variable)
    }
  } else if (name === 'alias') {
    for (const arg of args) {
      const end = arg.indexOf('=')
      if (end > 0) scope.aliases.set(arg.slice(0, end), arg.slice(end + 1))
    }
  } else if (name === 'read' || name === 'mapfile' || name === 'readarray') {
    const lines = own.input.texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line !== '')
      .slice(0, 200)
    const names = args.filter(
      (arg, index) => /^[A-Za-z_]\w*$/.test(arg) && !/^-[a-zA-Z]*[dnNptu]$/.test(args[index - 1] ?? ''),
    )
    const values = names.length > 1 ? lines.flatMap((line) => line.split(/\s+/)) : lines
    for (const variable of names.length === 0 ? ['REPLY'] : names)
      tracer.remember(scope, variable, values.length === 0 ? [unknown] : values)
  } else if (name === 'set') {
    const at = args.indexOf('--')
    if (at !== -1) scope.parameters = args.slice(at + 1)
  } else if (name === 'shift') scope.parameters = scope.parameters?.slice(Number(args[0] ?? 1) || 1) ?? null
  else if (name === 'printf' && args[0] === '-v')
    tracer.remember(scope, args[1] ?? '', printedBy('printf', args.slice(2), []))
  else return null
  return ['']
}

/** Where it is not certain that it succeeds, what comes next may also run where this one did. */
function changeDirectory(tracer: Tracer, args: readonly string[], scope: Scope, own: Own): void {
  const { place, visited } = tracer
  const target = args.find((arg) => !/^-[A-Za-z@-]+$/.test(arg)) ?? place.home
  tracer.spend(1000 * scope.directories.length)
  const next = target === '-' ? [...visited] : inside(scope.directories, target).map(settle)
  const isCertain =
    target !== '-' && (own.joint === '&&' || next.every((path) => !isWild(path) && place.disk.isDirectory(path)))
  tracer.moved(scope, [...new Set(isCertain ? next : [...next, ...scope.directories])].slice(0, maxDirectories))
  for (const path of next) if (visited.size < maxDirectories) visited.add(path)
}

/** `a/../b` is `b` for `cd`; behind something unknown nothing can be taken away. */
const settle = (path: string): string =>
  path.startsWith(unknown) || path.length > maxPath ? unknown : resolve('/', path)

function runShell(tracer: Tracer, args: readonly string[], scope: Scope, own: Own): Printed {
  const task = shellTask(args)
  const inner = innerOf(scope)
  // A file that is `<(…)` is among what comes in.
  const isFile = task.kind === 'none' && args.some((arg) => arg === unknown)
  if (task.kind !== 'none') inner.parameters = task.parameters
  if (task.kind === 'text') {
    inner.variables.set('0', [task.called])
    return tracer.script(task.text, inner, own)
  }
  if (task.kind === 'none' && !isFile) {
    for (const text of keptIn(
      tracer,
      scope,
      args.find((arg) => !arg.startsWith('-')),
    ))
      tracer.script(text, inner, own)
    return []
  }
  let printed: Printed = []
  for (const text of own.input.texts) printed = tracer.script(text, inner, { ...own, input: noInput })
  return printed
}

/** What this script has written into a file. */
function keptIn(tracer: Tracer, scope: Scope, path: string | undefined): readonly string[] {
  if (path === undefined || tracer.kept.size === 0) return []
  return inside(scope.directories, path).flatMap((full) => tracer.kept.get(resolve('/', full)) ?? [])
}

/** A file that was written before is run by its name, or by that of an interpreter. */
function runKept(tracer: Tracer, word: string, args: readonly string[], scope: Scope, own: Own): void {
  if (tracer.kept.size === 0) return
  const language = languageOf(nameOf(word))
  if (language !== null)
    runCode(
      tracer,
      language,
      keptIn(
        tracer,
        scope,
        args.find((arg) => !arg.startsWith('-')),
      ),
      scope,
      own,
    )
  else if (word.includes('/')) {
    for (const text of keptIn(tracer, scope, word)) {
      const by = languageOf(nameOf(/^#!.*?([\w./-]+)\s*$/m.exec(text.slice(0, 200))?.[1] ?? ''))
      if (by === null) tracer.script(text, innerOf(scope), own)
      else runCode(tracer, by, [text], scope, own)
    }
  }
}
/** `~`, as code hands it to a function that knows the home. */
const homeInCode = new RegExp(`^~(?=[/${unknown}]|$)`, 'u')

function runCode(tracer: Tracer, language: string, texts: readonly string[], scope: Scope, own: Own): void {
  for (const text of texts) {
    tracer.spend(text.length)
    // No code of any of these languages begins so: whoever wrote it took the interpreter for a shell.
    if (/^\s*[a-z]+\s+-{1,2}[a-z]/i.test(text)) tracer.script(text, innerOf(scope), { ...own, input: noInput })
    for (const call of codeCalls(language, text)) {
      if (call.kind === 'script') tracer.script(call.text, innerOf(scope), { ...own, input: noInput })
      else if (call.kind === 'words')
        runWords(
          tracer,
          call.words.map((word) => word.replace(homeInCode, tracer.place.home)),
          innerOf(scope),
          { ...own, input: noInput, writes: [] },
        )
      else tracer.written.push(...inside(scope.directories, call.path.replace(homeInCode, tracer.place.home)))
    }
  }
}

function runEach(tracer: Tracer, commands: readonly (readonly string[])[], scope: Scope, own: Own): Printed {
  for (const words of commands) runWords(tracer, words, innerOf(scope), own)
  return []
}
