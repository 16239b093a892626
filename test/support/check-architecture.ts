import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { layers, pureNodeModules, type Layer } from './layers.ts'
import { readModule, type ImportFact, type ModuleFacts } from './read-module.ts'

/** A file of src, its path from the root of the repository. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const longestFile = 400
const longestMedian = 80

const forbiddenNames = new Set('util utils helper helpers common types misc shared index'.split(' '))
/** What a folder without I/O may do with globals that could also tell the time or throw dice. */
const isPureUse = (use: string): boolean =>
  ['new Date(…)', 'Date.parse', 'Date.UTC', 'AbortSignal.any', 'AbortSignal.abort'].includes(use) ||
  (use.startsWith('Math.') && use !== 'Math.random')

const isMain = (path: string): boolean => path === 'src/cli/main.ts'
const isHook = (path: string): boolean => path.startsWith('src/hooks/')
const isPrinter = (path: string): boolean => path === 'src/cli/print.ts'

/** Who may touch which part of the process. */
const homes: Readonly<Record<string, (path: string) => boolean>> = {
  'process.exit': isMain,
  'process.abort': () => false,
  'process.exitCode': (path) => isMain(path) || isHook(path),
  'process.stdout': (path) => isPrinter(path) || isHook(path),
  'process.stderr': (path) => isPrinter(path) || isHook(path),
  'process.stdin': (path) => path.startsWith('src/cli/') || isHook(path),
}

/** Every way in which these files break the architecture, one line each. */
export function checkArchitecture(files: readonly SourceFile[]): string[] {
  if (files.length === 0) return ['no source files were seen']
  const modules = files.map(({ path, text }) => ({ path, facts: readModule(path, text) }))
  const complaints = modules.flatMap(({ path, facts }) =>
    [...checkPlace(path), ...checkImports(path, facts), ...checkGlobals(path, facts), ...checkShape(facts)].map(
      (complaint) => `${path}: ${complaint}`,
    ),
  )
  return [...complaints, ...checkMedian(modules.map(({ facts }) => facts.lines))]
}

function checkPlace(path: string): string[] {
  const [, ...parts] = path.replace(/\.ts$/, '').split('/')
  return [
    ...(layerOf(path) === undefined ? ['is in no folder of the layer table'] : []),
    ...parts.filter((part) => forbiddenNames.has(part)).map((part) => `"${part}" says nothing about what is inside`),
    ...parts.filter((part) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(part)).map((part) => `"${part}" is not kebab-case`),
  ]
}

function checkImports(path: string, facts: ModuleFacts): string[] {
  const layer = layerOf(path)
  return layer === undefined ? [] : facts.imports.flatMap((fact) => checkImport(path, layer, fact))
}

function checkImport(path: string, layer: Layer, { specifier, typeOnly, names }: ImportFact): string[] {
  if (specifier === '(computed)') return ['imports what only runs can tell']
  if (specifier.startsWith('.')) return checkOwnImport(path, layer, specifier, typeOnly)
  if (specifier === 'node:process' || specifier === 'node:console') {
    return [`imports ${specifier}: use the global, which these rules can see`]
  }
  if (specifier.startsWith('node:')) {
    if (specifier === 'node:child_process' && layer.folder !== 'process' && !typeOnly) {
      return ['imports node:child_process: only process/ starts processes']
    }
    if (layer.io === 'allowed' || typeOnly) return []
    if (!pureNodeModules.includes(specifier)) return [`imports ${specifier}, but ${layer.folder}/ does no I/O`]
    return names
      .filter((name) => name.startsWith('random'))
      .map((name) => `imports ${name}: chance comes in as a value`)
  }
  if (isBuiltin(specifier)) return [`imports ${specifier}: write node:${specifier}`]
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  return layer.packages?.includes(name) === true ? [] : [`imports the package ${name}, which ${layer.folder}/ may not`]
}

function checkOwnImport(path: string, layer: Layer, specifier: string, typeOnly: boolean): string[] {
  const target = posix.join(posix.dirname(path), specifier)
  const folder = layerOf(target)?.folder
  if (folder === undefined) return [`imports ${specifier}, which is in no folder of the layer table`]
  if (folder === layer.folder || layer.mayImport.includes(folder)) return []
  if (layer.mayImportTypes?.includes(folder) === true) {
    return typeOnly ? [] : [`imports a value from ${folder}/: only "import type" is allowed`]
  }
  return [`imports ${specifier}: ${layer.folder}/ may not import from ${folder}/`]
}

function checkGlobals(path: string, facts: ModuleFacts): string[] {
  const isPure = layerOf(path)?.io === 'none'
  const rules = facts.globals.flatMap((use) => {
    const name = /\w+/.exec(use.replace('new ', ''))?.[0] ?? use
    if (name === 'console') return [`uses ${use}: text goes through the Output of the command line`]
    if (name === 'require') return ['uses require: write import']
    if (use === 'globalThis' || use === 'globalThis[…]') return ['passes globalThis around, where no rule can see it']
    if (use === 'process' || use === 'process[…]') return ['passes process around, where no rule can see it']
    if (homes[use]?.(path) === false) return [`uses ${use} outside its home`]
    if (!isPure || name === 'globalThis' || isPureUse(use)) return []
    return [`uses ${use}: ${layerOf(path)?.folder}/ knows no clock, chance or environment`]
  })
  // Elsewhere `setTimeout` may well be the one of node:timers/promises.
  const hidden = facts.hidden.filter((name) => isPure || ['process', 'console', 'globalThis'].includes(name))
  return [...rules, ...hidden.map((name) => `names something ${name}, which hides the global`)]
}

function checkShape(facts: ModuleFacts): string[] {
  return [
    ...(facts.lines > longestFile ? [`has ${facts.lines} lines; ${longestFile} is the limit`] : []),
    ...(facts.isBarrel ? ['is a barrel: import from the file that has it'] : []),
    ...(facts.emptyCatches > 0 ? ['has an empty catch: name what is expected and rethrow the rest'] : []),
    ...(facts.defaultExports > 0 ? ['has a default export: export a name'] : []),
  ]
}

function checkMedian(lengths: readonly number[]): string[] {
  const median = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)] ?? 0
  return median > longestMedian ? [`half of all files have ${median} lines or more; ${longestMedian} is the limit`] : []
}

function layerOf(path: string): Layer | undefined {
  const [top, folder, file] = path.split('/')
  return top === 'src' && file !== undefined ? layers.find((layer) => layer.folder === folder) : undefined
}
