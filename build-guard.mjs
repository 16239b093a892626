// @ts-check
// The guard as a hook in several files. Every tool call reads it anew, and reading is most of what it costs, so the first
// file has what every call needs. Rules for certain programs, and what reads shell, are in parts beside it that it requires
// when a command asks for them. What a part shares with the first file it takes from there.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

/**
 * By the name of a part: the modules of which the first file has only the names. Functions read the part when they are
 * called; texts and numbers the first file has itself.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const functionParts = {
  script: ['src/guard/shell/trace-fully.ts', 'src/guard/shell/others-running.ts'],
  code: ['src/guard/shell/code-calls.ts'],
  touches: ['src/guard/targets/all-touches.ts'],
  found: ['find-touches', 'find-call', 'piped-paths'].map((name) => `src/guard/targets/${name}.ts`),
  paths: ['src/guard/find-guarded.ts', 'src/guard/credential-path.ts', 'src/guard/zone.ts'],
}

const entry = 'src/hooks/pre-tool-use.ts'
const rulesPath = 'src/guard/rules.ts'
const corePath = 'scripts/hooks/pre-tool-use.cjs'
/** @param {string} part */
const partPath = (part) => `scripts/hooks/guard-${part}.cjs`

/**
 * @typedef {object} Listed a rule, and where it is
 * @property {string} id what it is called in its module
 * @property {string} module
 * @property {{ name: string, category: string, programs?: string, guarded?: unknown, forbidsTouch?: unknown, forbidsTogether?: unknown }} rule
 */

/**
 * @param {string} root
 * @param {import('esbuild').BuildOptions & { metafile: true, write: false }} common
 * @returns {Promise<import('esbuild').BuildResult<typeof common>[]>} the first file, and the parts
 */
export async function buildGuard(root, common) {
  const { listed, values } = await evaluate(root, common)
  /** @param {string} contents @param {string} outfile @param {import('esbuild').Plugin} plugin */
  const make = (contents, outfile, plugin) =>
    build({
      ...common,
      stdin: { contents, resolveDir: root },
      outfile,
      format: 'esm',
      plugins: [plugin, ...(common.plugins ?? [])],
    })
  const inCore = stubs(root, listed, values)
  const first = await make(`import './${entry}'`, corePath, inCore)
  const shared = new Set(Object.keys(first.metafile.inputs).filter((path) => path.startsWith('src/')))
  const parts = await Promise.all(
    Array.from(entriesOf(listed), ([part, contents]) =>
      make(contents, partPath(part), taking({ root, shared, part, values })),
    ),
  )
  const taken = new Set(
    parts.flatMap(({ outputFiles }) =>
      outputFiles.flatMap(({ text }) => [...text.matchAll(takenName)].map(([, name = '']) => name)),
    ),
  )
  const exported = [...shared].flatMap((path) =>
    exportsOf(join(root, path)).flatMap((name) =>
      taken.has(sharedName(path, name)) ? [`export { ${name} as ${sharedName(path, name)} } from './${path}'`] : [],
    ),
  )
  return [await make(`${exported.join('\n')}\nimport './${entry}'`, corePath, inCore), ...parts]
}

/** What is asked of the first file. */
const takenName = /requireCore\(\)\.(\w+)/g

/** @param {string} path @param {string} name */
const sharedName = (path, name) =>
  `${path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll(/\W/g, '_')}__${name}`

/** @param {string} file */
const exportsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name = '']) => name)

/**
 * The rules themselves tell for which programs they are, and other modules which texts they export.
 * @param {string} root
 * @param {import('esbuild').BuildOptions & { metafile: true, write: false }} common
 * @returns {Promise<{ listed: Listed[], values: Map<string, Record<string, unknown>> }>} the rules in their order; by module
 *   what it exports
 */
async function evaluate(root, common) {
  const source = readFileSync(join(root, rulesPath), 'utf8')
  const modules = [...source.matchAll(/^import \{ (\w+) \} from '(\.\/rules\/.+)'$/gm)].map(
    ([, id = '', from = '']) => ({
      id,
      module: join(dirname(rulesPath), from),
    }),
  )
  const others = Object.values(functionParts).flat()
  const contents = [
    `export { rules } from './${rulesPath}'`,
    ...modules.map(({ id, module }) => `export { ${id} } from './${module}'`),
    ...others.map((module, index) => `export * as other${index} from './${module}'`),
  ].join('\n')
  const { outputFiles } = await build({ ...common, plugins: [], stdin: { contents, resolveDir: root }, format: 'esm' })
  const code = Buffer.from(outputFiles[0]?.text ?? '').toString('base64')
  /** @type {Record<string, unknown> & { rules: Listed['rule'][] }} */
  const all = await import(`data:text/javascript;base64,${code}`)
  const listed = all.rules.map((rule) => {
    const found = modules.find(({ id }) => all[id] === rule)
    if (found === undefined) throw new Error(`${rule.name} is in no module of its own`)
    return { id: found.id, module: found.module, rule }
  })
  const exported = others.map((module, index) => /** @type {const} */ ([module, all[`other${index}`]]))
  return { listed, values: new Map(/** @type {[string, Record<string, unknown>][]} */ (exported)) }
}

/** Whatever concerns paths concerns all commands. @param {Listed} listed */
const isApart = ({ rule }) =>
  rule.programs !== undefined && rule.guarded === undefined && rule.forbidsTouch === undefined

/**
 * Rules that are asked together are read together: those about git, and else those of a category.
 * @param {Listed} listed
 */
function partOf({ rule }) {
  const programs = rule.programs?.split(' ') ?? []
  return programs.includes('git') && programs.length <= 4 ? 'git' : rule.category
}

/** @param {readonly Listed[]} listed @returns {Map<string, string>} what each part exports */
function entriesOf(listed) {
  /** @type {Map<string, string>} */
  const entries = new Map()
  for (const one of listed.filter(isApart)) {
    const part = partOf(one)
    entries.set(part, `${entries.get(part) ?? ''}export { ${one.id} } from './${one.module}'\n`)
  }
  for (const [part, modules] of Object.entries(functionParts)) {
    entries.set(part, modules.map((module) => `export * from './${module}'\n`).join(''))
  }
  return entries
}

/**
 * In the first file: rules and functions that are elsewhere.
 * @param {string} root
 * @param {readonly Listed[]} listed
 * @param {ReadonlyMap<string, Record<string, unknown>>} values
 * @returns {import('esbuild').Plugin}
 */
function stubs(root, listed, values) {
  return {
    name: 'stubs',
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const module = relative(root, path)
        if (module === rulesPath) return { contents: rulesStub(listed), resolveDir: dirname(path), loader: 'js' }
        return stubOf(module, values)
      })
    },
  }
}

/**
 * @param {string} module
 * @param {ReadonlyMap<string, Record<string, unknown>>} values
 * @returns {import('esbuild').OnLoadResult | undefined} what stands for a module that is in a part
 */
function stubOf(module, values) {
  const [part] = Object.entries(functionParts).find(([, modules]) => modules.includes(module)) ?? []
  if (part === undefined) return undefined
  const all = Object.entries(values.get(module) ?? {}).map(([name, value]) => {
    if (typeof value === 'function')
      return `export const ${name} = (...args) => requirePart("${part}").${name}(...args)`
    if (typeof value === 'string' || typeof value === 'number') return `export const ${name} = ${literal(value)}`
    throw new Error(`${module} exports ${name}, which is no function, text or number`)
  })
  return { contents: all.join('\n'), loader: 'js' }
}

/** Nobody reads long lines. @param {string | number} value */
function literal(value) {
  if (typeof value === 'number') return String(value)
  const lines = value.match(/.{1,100}(?: |$)/g) ?? ['']
  if (lines.join('') !== value) throw new Error(`a word of more than 100 characters in ${value}`)
  // esbuild puts a sum on one line again.
  const texts = lines.map((text) => JSON.stringify(text))
  return texts.length < 6 ? texts.join(' + ') : `[\n${texts.join(',\n')}\n].join("")`
}

/** @param {readonly Listed[]} listed */
function rulesStub(listed) {
  const here = listed.filter((one) => !isApart(one))
  const imports = here.map(({ id, module }) => `import { ${id} } from './${relative(dirname(rulesPath), module)}'`)
  const all = listed.map((one) => {
    const { name, category, programs = '' } = one.rule
    if (!isApart(one)) return one.id
    return `new RuleApart("${name}", "${category}", ${literal(programs)}, () => requirePart("${partOf(one)}").${one.id})`
  })
  return `${imports.join('\n')}
import { RuleApart } from './rule-apart.ts'
export const rules = [${all.join(',\n')}]`
}

/**
 * In a part: what the first file has too is taken from there, and what another part has from that one.
 * @param {object} given
 * @param {string} given.root
 * @param {ReadonlySet<string>} given.shared
 * @param {string} given.part
 * @param {ReadonlyMap<string, Record<string, unknown>>} given.values
 * @returns {import('esbuild').Plugin}
 */
function taking({ root, shared, part, values }) {
  const own = new Set(functionParts[part])
  return {
    name: 'taking',
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const module = relative(root, path)
        if (own.has(module)) return undefined
        if (!shared.has(module)) return stubOf(module, values)
        const names = exportsOf(path).map(
          (name) => `export const ${name} = /* @__PURE__ */ (() => requireCore().${sharedName(module, name)})()`,
        )
        return { contents: names.join('\n'), loader: 'js' }
      })
    },
  }
}

export const coreName = `./${basename(corePath)}`
