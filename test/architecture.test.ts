import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkArchitecture, type SourceFile } from './support/check-architecture.ts'
import { layers } from './support/layers.ts'

const root = join(import.meta.dirname, '..')

function sourceFiles(): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

describe('the source', () => {
  it('was seen, the ground and the command line at least', () => {
    const folders = new Set(sourceFiles().map(({ path }) => path.split('/')[1]))
    expect([...folders]).toEqual(expect.arrayContaining(['base', 'model', 'cli']))
  })

  it('keeps to the layers, to the I/O column and to its size', () => {
    expect(checkArchitecture(sourceFiles())).toEqual([])
  })
})

describe('the layer table', () => {
  it('is read from the ground up: nobody imports from a row below, but for types', () => {
    const rows = layers.map((layer) => layer.folder)
    for (const { folder, mayImport } of layers) {
      // agents/ stands among the rows with I/O and has none, so the pure rows of loop/ name it too.
      for (const imported of mayImport) expect(rows.indexOf(imported)).toBeLessThan(rows.indexOf(folder))
    }
  })

  it('lets only the command line know everything, and nobody know the hooks', () => {
    const importers = (folder: string) =>
      layers.filter((layer) => layer.mayImport.includes(folder)).map((layer) => layer.folder)
    expect(importers('cli')).toEqual([])
    expect(importers('hooks')).toEqual([])
    expect(importers('demo')).toEqual(['cli'])
  })
})

describe('docs/architecture.md', () => {
  const rows = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '')
  const named = (folder: string) => rows.filter((cell) => cell.includes(`\`${folder}/\``))

  it.each(layers.map((layer) => layer.folder))('has a row for %s, marked while it is to come', (folder) => {
    const exists = readdirSync(join(root, 'src')).includes(folder)
    expect(named(folder).map((cell) => cell.includes('_to come_'))).toEqual([!exists])
  })
})

/** Each rule must catch what was planted for it, with these words, and nothing else may be found. */
const planted: readonly (readonly [rule: string, path: string, text: string, complaint: string])[] = [
  ['upward import', 'src/base/a.ts', `import { b } from '../model/b.ts'\nb()`, 'base/ may not import from model/'],
  ['sideways import', 'src/git/a.ts', `import { b } from '../store/b.ts'\nb()`, 'git/ may not import from store/'],
  ['re-export', 'src/base/a.ts', `export { b } from '../model/b.ts'\nexport const c = 1`, 'may not import from model/'],
  ['export of all', 'src/base/a.ts', `export * from '../model/b.ts'\nexport const c = 1`, 'may not import from model/'],
  ['dynamic import', 'src/base/a.ts', `await import('../model/b.ts')`, 'may not import from model/'],
  [
    'type upwards',
    'src/base/a.ts',
    `import type { B } from '../model/b.ts'\nexport const b: B = 1`,
    'may not import from',
  ],
  ['type by import()', 'src/base/a.ts', `export type B = import('../model/b.ts').B`, 'may not import from model/'],
  ['import =', 'src/base/a.ts', `import b = require('../model/b.ts')\nb()`, 'may not import from model/'],
  ['side effect', 'src/base/a.ts', `import '../model/b.ts'`, 'may not import from model/'],
  ['hooks', 'src/cli/a.ts', `import { b } from '../hooks/b.ts'\nb()`, 'cli/ may not import from hooks/'],
  ['cli', 'src/demo/a.ts', `import { b } from '../cli/b.ts'\nb()`, 'demo/ may not import from cli/'],
  ['value for type', 'src/loop/a.ts', `import { b } from '../git/b.ts'\nb()`, 'only "import type" is allowed'],
  ['inline type', 'src/loop/a.ts', `import { type B } from '../git/b.ts'\nexport type C = B`, 'only "import type"'],
  ['computed import', 'src/cli/a.ts', `export const a = (name: string) => import(name)`, 'only runs can tell'],
  ['outside src', 'src/cli/a.ts', `import { b } from '../../bench/b.ts'\nb()`, 'in no folder of the layer table'],
  ['package', 'src/tasks/a.ts', `import { z } from 'zod/mini'\nz()`, 'imports the package zod'],
  ['scoped package', 'src/git/a.ts', `import { a } from '@clack/prompts'\na()`, 'imports the package @clack/prompts'],
  ['bare builtin', 'src/store/a.ts', `import { rmSync } from 'fs'\nrmSync('a')`, 'write node:fs'],
  ['fs', 'src/tasks/a.ts', `import { rmSync } from 'node:fs'\nrmSync('a')`, 'tasks/ does no I/O'],
  ['fs/promises', 'src/model/a.ts', `import { rm } from 'node:fs/promises'\nvoid rm('a')`, 'model/ does no I/O'],
  ['net', 'src/agents/a.ts', `import { connect } from 'node:net'\nconnect(1)`, 'agents/ does no I/O'],
  ['child process', 'src/guard/a.ts', `import { fork } from 'node:child_process'\nfork('a')`, 'only process/ starts'],
  [
    'child process with I/O',
    'src/git/a.ts',
    `import { fork } from 'node:child_process'\nfork('a')`,
    'only process/ starts',
  ],
  ['node:process', 'src/cli/a.ts', `import { exit } from 'node:process'\nexit()`, 'use the global'],
  ['require', 'src/git/a.ts', `export const a = require('node:fs')`, 'write import'],
  ['chance', 'src/model/a.ts', `import { randomUUID } from 'node:crypto'\nrandomUUID()`, 'imports randomUUID'],
  ['Date.now', 'src/model/a.ts', `export const a = Date.now()`, 'uses Date.now'],
  ['new Date()', 'src/limits/a.ts', `export const a = new Date()`, 'uses new Date()'],
  ['Date()', 'src/limits/a.ts', `export const a = Date()`, 'uses Date()'],
  ['hidden clock', 'src/limits/a.ts', `const { now } = Date\nnow()`, 'uses Date'],
  ['clock by key', 'src/limits/a.ts', `Date['now']()`, 'uses Date[…]'],
  ['clock in parentheses', 'src/limits/a.ts', `export const a = new (Date)()`, 'uses Date'],
  ['optional call', 'src/git/a.ts', `process?.exit?.(1)`, 'uses process.exit outside its home'],
  ['import by template', 'src/cli/a.ts', 'await import(`./b.ts`)', 'only runs can tell'],
  ['timer in a signal', 'src/limits/a.ts', `AbortSignal.timeout(1)`, 'uses AbortSignal.timeout'],
  ['dice by key', 'src/limits/a.ts', `Math['random']()`, 'uses Math[…]'],
  ['network', 'src/agents/a.ts', `void fetch('http://localhost')`, 'uses fetch()'],
  ['performance', 'src/loop/a.ts', `export const a = performance.now()`, 'uses performance.now'],
  ['environment', 'src/settings/a.ts', `export const a = process.env['A']`, 'uses process.env'],
  ['hrtime', 'src/prompt/a.ts', `export const a = process.hrtime.bigint()`, 'uses process.hrtime'],
  ['Math.random', 'src/tasks/a.ts', `export const a = Math.random()`, 'uses Math.random'],
  ['timer', 'src/loop/a.ts', `setTimeout(() => 1, 2)`, 'uses setTimeout()'],
  ['global crypto', 'src/loop/a.ts', `crypto.randomUUID()`, 'uses crypto.randomUUID'],
  ['console', 'src/git/a.ts', `console.log(1)`, 'uses console.log'],
  ['console through globalThis', 'src/git/a.ts', `globalThis.console.log(1)`, 'uses console'],
  ['process.exit', 'src/cli/a.ts', `process.exit(1)`, 'uses process.exit outside its home'],
  ['process.exit in a hook', 'src/hooks/a.ts', `process.exit(1)`, 'uses process.exit outside its home'],
  ['process.exitCode', 'src/loop/a.ts', `process.exitCode = 1`, 'uses process.exitCode outside its home'],
  ['process.stdout', 'src/journal/a.ts', `process.stdout.write('')`, 'uses process.stdout outside its home'],
  ['process.stderr', 'src/cli/a.ts', `process.stderr.write('')`, 'uses process.stderr outside its home'],
  ['process destructured', 'src/git/a.ts', `const { exit } = process\nexit()`, 'passes process around'],
  ['process by key', 'src/git/a.ts', `process['exit']()`, 'passes process around'],
  ['globalThis by key', 'src/git/a.ts', `export const a = globalThis['process']`, 'passes globalThis around'],
  ['hiding a global', 'src/git/a.ts', `export const a = (process: { exit(): void }) => 1`, 'hides the global'],
  ['empty catch', 'src/git/a.ts', `try { f() } catch { /* never mind */ }`, 'empty catch'],
  ['empty catch of a promise', 'src/git/a.ts', `f().catch(() => {})`, 'empty catch'],
  ['default export', 'src/git/a.ts', `export default 1`, 'default export'],
  ['default by name', 'src/git/a.ts', `const a = 1\nexport { a as default }`, 'default export'],
  ['index file', 'src/git/index.ts', `export const a = 1`, '"index" says nothing'],
  ['barrel', 'src/git/a.ts', `export { b } from './b.ts'\nexport * from './c.ts'`, 'is a barrel'],
  ['utils file', 'src/git/utils.ts', `export const a = 1`, '"utils" says nothing'],
  ['helpers folder', 'src/git/helpers/a.ts', `export const a = 1`, '"helpers" says nothing'],
  ['camel case', 'src/git/openRepository.ts', `export const a = 1`, 'not kebab-case'],
  ['unknown folder', 'src/engine/a.ts', `export const a = 1`, 'in no folder of the layer table'],
  ['no folder', 'src/a.ts', `export const a = 1`, 'in no folder of the layer table'],
  ['long file', 'src/git/a.ts', 'f()\n'.repeat(401), 'has 401 lines'],
]

/** Short files beside the planted one, so that the median speaks only where it is meant. */
const others: SourceFile[] = [1, 2].map((n) => ({ path: `src/base/other-${n}.ts`, text: 'export const a = 1\n' }))

describe('the rules catch', () => {
  it.each(planted)('%s', (_rule, path, text, complaint) => {
    expect(checkArchitecture([...others, { path, text }])).toEqual([expect.stringContaining(complaint)])
  })

  it('files that are too long on the whole', () => {
    const files = [1, 2, 3].map((n) => ({ path: `src/base/a-${n}.ts`, text: 'f()\n'.repeat(81) }))
    expect(checkArchitecture(files)).toEqual([expect.stringContaining('half of all files')])
  })

  it('that there is nothing to look at', () => {
    expect(checkArchitecture([])).toEqual(['no source files were seen'])
  })

  it('a file that does not parse', () => {
    expect(() => checkArchitecture([{ path: 'src/base/a.ts', text: 'export const' }])).toThrow('src/base/a.ts')
  })
})

describe('the rules allow', () => {
  it.each([
    [
      'the rows above',
      'src/git/a.ts',
      `import { run } from '../process/b.ts'\nimport { c } from '../base/c.ts'\nrun(c)`,
    ],
    ['its own folder', 'src/git/a.ts', `import { b } from './b.ts'\nb()`],
    ['types of ports', 'src/loop/a.ts', `import type { B } from '../git/b.ts'\nexport type C = B`],
    ['a date that was given', 'src/base/a.ts', `export const a = (ms: number) => new Date(ms).toISOString()`],
    ['arithmetic', 'src/base/a.ts', `export const a = Math.max(1, 2)`],
    ['hashing', 'src/tasks/a.ts', `import { createHash } from 'node:crypto'\ncreateHash('sha256')`],
    [
      'names that only look like globals',
      'src/base/a.ts',
      `export const a = (b: { process: { exit: 1 } }) => b.process.exit`,
    ],
    ['types that only look like globals', 'src/model/a.ts', `export interface A { process: number; Date: Date }`],
    ['the clock where I/O is', 'src/store/a.ts', `export const a = Date.now() + performance.now() + process.pid`],
    ['ending in its home', 'src/cli/main.ts', `process.exitCode = 1\nprocess.exit(1)`],
    ['printing in its home', 'src/cli/print.ts', `process.stdout.write('')\nprocess.stderr.write('')`],
    ['a hook that answers', 'src/hooks/a.ts', `process.stdout.write('{}')\nprocess.exitCode = 2`],
    ['a catch that handles', 'src/git/a.ts', `try { f() } catch (error) { throw new Error('b', { cause: error }) }`],
    [
      'timers that can be awaited',
      'src/process/a.ts',
      `import { setTimeout } from 'node:timers/promises'\nawait setTimeout(1)`,
    ],
    ['a lazy package', 'src/cli/a.ts', `export const a = () => import('commander')`],
  ])('%s', (_name, path, text) => {
    expect(checkArchitecture([...others, { path, text }])).toEqual([])
  })
})
