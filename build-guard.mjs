// @ts-check
// The guard as a hook in several files. Every tool call reads it anew, and reading is most of what it costs, so the first
// file has what every call needs. Rules for certain programs, and what reads shell, are in parts beside it that it requires
// when a command asks for them. What a part shares with the first file it takes from there.
import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

/** By the name of a part: the modules in it. They export only functions, which read the part when they are called. */
const functionParts = {
  script: ['expand-word', 'trace-node', 'scan-script', 'parse-script'].map((name) => `src/guard/shell/${name}.ts`),
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
  const listed = await listRules(root, common)
  /** @param {string} contents @param {string} outfile @param {import('esbuild').Plugin} plugin */
  const make = (contents, outfile, plugin) =>
    build({
      ...common,
      stdin: { contents, resolveDir: root },
      outfile,
      format: 'esm',
      plugins: [plugin, ...(common.plugins ?? [])],
    })
  const inCore = stubs(root, listed)
  const first = await make(`import './${entry}'`, corePath, inCore)
  const shared = new Set(Object.keys(first.metafile.inputs).filter((path) => path.startsWith('src/')))
  const fromCore = taking(root, shared)
  const parts = await Promise.all(
    Array.from(entriesOf(listed), ([part, contents]) => make(contents, partPath(part), fromCore)),
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
 * The rules themselves tell for which programs they are.
 * @param {string} root
 * @param {import('esbuild').BuildOptions & { metafile: true, write: false }} common
 * @returns {Promise<Listed[]>} in their order
 */
async function listRules(root, common) {
  const imports = [
    ...readFileSync(join(root, rulesPath), 'utf8').matchAll(/^import \{ (\w+) \} from '(\.\/rules\/.+)'$/gm),
  ]
  const modules = imports.map(([, id = '', from = '']) => ({ id, module: join(dirname(rulesPath), from) }))
  const contents = [
    `export { rules } from './${rulesPath}'`,
    ...modules.map(({ id, module }) => `export { ${id} } from './${module}'`),
  ]
  const { outputFiles } = await build({
    ...common,
    plugins: [],
    stdin: { contents: contents.join('\n'), resolveDir: root },
    format: 'esm',
  })
  const code = Buffer.from(outputFiles[0]?.text ?? '').toString('base64')
  /** @type {Record<string, unknown> & { rules: Listed['rule'][] }} */
  const all = await import(`data:text/javascript;base64,${code}`)
  return all.rules.map((rule) => {
    const found = modules.find(({ id }) => all[id] === rule)
    if (found === undefined) throw new Error(`${rule.name} is in no module of its own`)
    return { id: found.id, module: found.module, rule }
  })
}

/** Whatever concerns paths concerns all commands. @param {Listed} listed */
const isApart = ({ rule }) =>
  rule.programs !== undefined && rule.guarded === undefined && rule.forbidsTouch === undefined

/** @param {readonly Listed[]} listed @returns {Map<string, string>} what each part exports */
function entriesOf(listed) {
  /** @type {Map<string, string>} */
  const entries = new Map()
  for (const { id, module, rule } of listed.filter(isApart)) {
    entries.set(rule.category, `${entries.get(rule.category) ?? ''}export { ${id} } from './${module}'\n`)
  }
  for (const [part, modules] of Object.entries(functionParts)) {
    entries.set(part, modules.map((module) => `export * from './${module}'\n`).join(''))
  }
  return entries
}

/**
 * In the first file: rules that are elsewhere, and functions that are.
 * @param {string} root
 * @param {readonly Listed[]} listed
 * @returns {import('esbuild').Plugin}
 */
function stubs(root, listed) {
  const partOf = new Map(
    Object.entries(functionParts).flatMap(([part, modules]) =>
      modules.map((module) => /** @type {const} */ ([module, part])),
    ),
  )
  return {
    name: 'stubs',
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const module = relative(root, path)
        if (module === rulesPath) return { contents: rulesStub(listed), resolveDir: dirname(path), loader: 'js' }
        const part = partOf.get(module)
        if (part === undefined) return undefined
        const calls = exportsOf(path).map(
          (name) => `export const ${name} = (...args) => requirePart("${part}").${name}(...args)`,
        )
        return { contents: calls.join('\n'), loader: 'js' }
      })
    },
  }
}

/** @param {readonly Listed[]} listed */
function rulesStub(listed) {
  const here = listed.filter((one) => !isApart(one))
  const imports = here.map(({ id, module }) => `import { ${id} } from './${relative(dirname(rulesPath), module)}'`)
  const all = listed.map((one) => {
    const { name, category, programs = '' } = one.rule
    if (!isApart(one)) return one.id
    // Nobody reads longer lines.
    const lines = programs.match(/.{1,100}(?: |$)/g)?.map((text) => JSON.stringify(text)) ?? []
    return `new RuleApart("${name}", "${category}", ${lines.join(' +\n')}, () => requirePart("${category}").${one.id})`
  })
  return `${imports.join('\n')}
import { RuleApart } from './rule-apart.ts'
export const rules = [${all.join(',\n')}]`
}

/**
 * In a part: what the first file has too is taken from there.
 * @param {string} root
 * @param {ReadonlySet<string>} shared
 * @returns {import('esbuild').Plugin}
 */
function taking(root, shared) {
  const own = new Set(Object.values(functionParts).flat())
  return {
    name: 'taking',
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const module = relative(root, path)
        if (!shared.has(module) || own.has(module)) return undefined
        const names = exportsOf(path).map(
          (name) => `export const ${name} = /* @__PURE__ */ (() => requireCore().${sharedName(module, name)})()`,
        )
        return { contents: names.join('\n'), loader: 'js' }
      })
    },
  }
}

export const coreName = `./${basename(corePath)}`
