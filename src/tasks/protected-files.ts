import { isObject, parseJson, type JsonObject } from '../base/json.ts'
import type { TaskList } from '../model/story.ts'

/** What the checks stand on, and so may not change while they decide. */
export interface Protection {
  readonly files: ReadonlySet<string>
  readonly scripts: ReadonlyMap<string, string>
}

/**
 * The files (never directories) that the checks name and that are tracked at the start of the run, and the scripts of
 * package.json that they call.
 */
export function protectedBy(
  commands: readonly string[],
  tracked: ReadonlySet<string>,
  packageJson: string | null,
): Protection {
  const files = new Set<string>()
  const scripts = new Map<string, string>()
  const known = scriptsOf(packageJson)
  for (const command of commands) {
    const words = shellWords(command)
    for (const path of namedPaths(words)) if (tracked.has(path)) files.add(path)
    for (const name of calledScripts(words)) {
      const value = known.get(name)
      if (value !== undefined) scripts.set(name, value)
    }
  }
  return { files, scripts }
}

/** Every command that a list has the runner run. */
export function allCommands(list: TaskList): string[] {
  return [...(list.verifyCommands ?? []), ...list.userStories.flatMap((story) => story.verifyCommands ?? [])]
}

/** A package.json, or null. Its keys are names of other people's packages, `prototype` among them: all are taken. */
export function readPackage(text: string): JsonObject | null {
  const parsed = parseJson(text, { anyKey: true })
  return parsed.ok && isObject(parsed.value) ? parsed.value : null
}

/** The scripts of a package.json that are text. */
export function scriptsOf(packageJson: string | null): ReadonlyMap<string, string> {
  const scripts = packageJson === null ? null : readPackage(packageJson)?.['scripts']
  const entries = isObject(scripts) ? Object.entries(scripts) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Words between blanks and shell operators, quotes taken off: enough to see which files a command names. */
function shellWords(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let index = 0; index < command.length; index++) {
    const char = command[index] ?? ''
    if (quote !== null) {
      if (char === quote) quote = null
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\') word = (word ?? '') + (command[++index] ?? '')
    else if (/[\s;&|<>()`]/.test(char)) {
      if (word !== null) words.push(word)
      word = null
      if (/[;&|]/.test(char)) words.push(';')
      if (char === '>') words.push('>')
    } else word = (word ?? '') + char
  }
  if (word !== null) words.push(word)
  return words
}

/** Whatever comes behind it is written by the check itself, so nothing stands on what it was before. */
const outputOption = /^--?(?:o|out|out-?file|output(?:-?file)?(?:\.\w+)?|junit-?xml|log-?file)$/i
const isOutput = (word: string): boolean => word === '>' || outputOption.test(word)

/** Candidates for paths: each word, what follows its `=`, and both below each directory that the command goes into. */
function* namedPaths(words: readonly string[]): Generator<string> {
  const directories = ['']
  for (const [index, word] of words.entries()) {
    const before = words[index - 1] ?? ''
    if (before === 'cd' && word !== ';') directories.push(`${join('', word)}/`)
    const [name = '', ...rest] = word.split('=')
    if (isOutput(before) || (rest.length > 0 && isOutput(name))) continue
    const values = rest.length > 0 ? [word, rest.join('=')] : [word]
    for (const value of values) for (const directory of directories) yield join(directory, value)
  }
}

function join(directory: string, path: string): string {
  const parts: string[] = []
  for (const part of `${directory}${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const shortcuts = new Map([
  ['t', 'test'],
  ['tst', 'test'],
])

/** `npm run X`, `npm test`, `pnpm X`, `yarn X`, `bun run X`, with options in between. */
function* calledScripts(words: readonly string[]): Generator<string> {
  for (const [index, word] of words.entries()) {
    if (!managers.has(word.slice(word.lastIndexOf('/') + 1))) continue
    for (let next = index + 1; next < words.length; next++) {
      const name = words[next] ?? ''
      if (name === ';') break
      if (name === 'run' || name === 'run-script' || name.startsWith('-')) continue
      yield shortcuts.get(name) ?? name
      // An option may have taken this word as its value (`npm --prefix web test`): the next one may be the script.
      if (!(words[next - 1] ?? '').startsWith('-')) break
    }
  }
}
