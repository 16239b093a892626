// @ts-check
// Builds what is committed under scripts/. A plugin is installed by copying the repository and nothing is built there,
// so the bundles are part of the source tree and `--check` proves that they still say what the source says.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/**
 * @typedef {object} Bundle
 * @property {string} path where it is committed, from the root of the repository
 * @property {string} text
 * @property {readonly string[]} packages the npm packages whose code is in it
 * @property {number} budget the largest size in bytes
 */

export const root = dirname(fileURLToPath(import.meta.url))
export const licencesPath = 'scripts/THIRD-PARTY-LICENSES.txt'

const hookBudget = 60_000
const cliBudget = 800_000

/** @returns {Promise<Bundle[]>} every bundle, made in memory */
export async function makeBundles() {
  const hooks = list(root, 'src/hooks', '.ts').map((file) =>
    makeBundle({
      entry: `src/hooks/${file}`,
      path: `scripts/hooks/${file.replace(/\.ts$/, '.cjs')}`,
      format: 'cjs',
      banner: '',
      budget: hookBudget,
    }),
  )
  const cli = makeBundle({
    entry: 'src/cli/main.ts',
    path: 'scripts/ralph.mjs',
    format: 'esm',
    // Packages written as CommonJS call `require` for what node brings along, which an ES module does not have. This one
    // knows nothing else, and costs nothing at the start, where createRequire takes 3 ms.
    banner: '#!/usr/bin/env node\nconst require = (name) => process.getBuiltinModule(name)\n',
    budget: cliBudget,
  })
  return Promise.all([cli, ...hooks])
}

/**
 * @param {{ entry: string, path: string, format: 'esm' | 'cjs', banner: string, budget: number }} plan
 * @returns {Promise<Bundle>}
 */
async function makeBundle({ entry, path, format, banner, budget }) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: path,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20.19',
    format,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // Without an import or export tools take an ES module for CommonJS.
    footer: { js: format === 'esm' ? 'export {};' : '' },
    banner: { js: `${banner}// Generated from ${entry} by build.mjs: do not edit.` },
  })
  const [file] = result.outputFiles
  const output = result.metafile.outputs[path]
  if (file === undefined || output === undefined) throw new Error(`esbuild made nothing for ${entry}`)
  const packages = Object.entries(output.inputs)
    .filter(([, input]) => input.bytesInOutput > 0)
    .map(([name]) => packageOf(name))
  return { path, text: withoutPaths(file.text), packages: unique(packages), budget }
}

/**
 * esbuild names each module by its path in comments and in the keys of CommonJS wrappers. Where a package lay on the disk
 * of whoever built is no part of the program.
 * @param {string} text
 */
const withoutPaths = (text) =>
  text
    .replaceAll(/^(\s*\/\/ )(?:\S*\/)?node_modules\/(\S+)$/gm, '$1npm:$2')
    .replaceAll(/^(\s*")(?:[^\s"]*\/)?node_modules\/([^\s"]+"\((?:exports(?:, module)?|__\w+)?\) \{)$/gm, '$1npm:$2')

/** @param {string} file */
const packageOf = (file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? ''

/** @param {readonly string[]} values */
const unique = (values) => [...new Set(values)].filter((value) => value !== '').toSorted()

/**
 * @param {readonly Bundle[]} bundles
 * @returns {string} the licence of every package that is in some bundle
 */
export function makeLicences(bundles) {
  const names = unique(bundles.flatMap((bundle) => bundle.packages))
  const parts = names.map((name) => {
    const folder = join(root, 'node_modules', name)
    /** @type {{ version: string, license: string }} */
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) throw new Error(`${name} is in a bundle and has no licence file`)
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
    return `${'='.repeat(80)}\n${name} ${manifest.version} (${manifest.license})\n${'='.repeat(80)}\n\n${text}\n`
  })
  return ['The bundles in this directory contain code of these packages.\n', ...parts].join('\n')
}

/** @returns {Promise<Map<string, string>>} every generated file by path; a bundle over its budget is an error */
export async function makeFiles() {
  const bundles = await makeBundles()
  for (const { path, text, budget } of bundles) {
    const size = Buffer.byteLength(text)
    if (size > budget) throw new Error(`${path} has ${size} bytes; its budget is ${budget}`)
  }
  return new Map([
    ...bundles.map(({ path, text }) => /** @type {const} */ ([path, text])),
    [licencesPath, makeLicences(bundles)],
  ])
}

/**
 * @param {ReadonlyMap<string, string>} files
 * @param {string} [at] the root of the repository that is compared
 * @returns {string[]} one line for each committed file that is not what the source makes
 */
export function differences(files, at = root) {
  const found = []
  for (const [path, text] of files) {
    const full = join(at, path)
    if (!existsSync(full)) found.push(`${path} is missing`)
    else if (readFileSync(full, 'utf8') !== text) found.push(`${path} differs from its source`)
    else if (path === 'scripts/ralph.mjs' && (statSync(full).mode & 0o100) === 0)
      found.push(`${path} is not executable`)
  }
  return [...found, ...strays(files, at).map((path) => `${path} has no source`)]
}

/**
 * Bundles of hooks that are gone.
 * @param {ReadonlyMap<string, string>} files
 * @param {string} at
 */
const strays = (files, at) =>
  list(at, 'scripts/hooks', '.cjs')
    .map((file) => `scripts/hooks/${file}`)
    .filter((path) => !files.has(path))

/**
 * @param {string} at
 * @param {string} folder
 * @param {string} ending
 */
function list(at, folder, ending) {
  const full = join(at, folder)
  if (!existsSync(full)) return []
  return readdirSync(full)
    .filter((file) => file.endsWith(ending))
    .toSorted()
}

/** @param {ReadonlyMap<string, string>} files */
function write(files) {
  for (const path of strays(files, root)) rmSync(join(root, path))
  for (const [path, text] of files) {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
    if (path === 'scripts/ralph.mjs') chmodSync(full, 0o755)
    console.log(`${path} ${(Buffer.byteLength(text) / 1000).toFixed(1)} kB`)
  }
}

async function main() {
  const files = await makeFiles()
  if (!process.argv.includes('--check')) return write(files)
  const lines = differences(files)
  if (lines.length === 0) return
  for (const line of lines) console.error(line)
  console.error('Run "npm run build" and commit what it writes.')
  process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
