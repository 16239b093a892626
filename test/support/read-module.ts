import { parseSync } from 'oxc-parser'

export interface ImportFact {
  readonly specifier: string
  /** `import type`, `export type … from` or a type position: gone when the program runs. */
  readonly typeOnly: boolean
  readonly names: readonly string[]
}

/** What the rules look at in one source file. */
export interface ModuleFacts {
  readonly imports: readonly ImportFact[]
  /** Globals as they are used, dotted: `process.exit`, `Date.now`, `new Date()`, `console.log`; `globalThis.` is taken off. */
  readonly globals: readonly string[]
  /** Names that this file binds itself and that would hide a global from these rules. */
  readonly hidden: readonly string[]
  readonly emptyCatches: number
  readonly defaultExports: number
  /** All it does is pass on what other files export. */
  readonly isBarrel: boolean
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const watched = new Set(
  'process console Date performance Math crypto fetch setTimeout setInterval setImmediate AbortSignal require globalThis'.split(
    ' ',
  ),
)
/** Nodes of TypeScript that hold values; all others are types and gone when the program runs. */
const valueNodes = new Set(
  'TSAsExpression TSSatisfiesExpression TSNonNullExpression TSTypeAssertion TSInstantiationExpression'.split(' '),
)

export function readModule(path: string, text: string): ModuleFacts {
  const parsed = parseSync(path, text)
  const [problem] = parsed.errors
  if (problem !== undefined) throw new Error(`${path}: ${problem.message}`)
  const facts = new Facts()
  const body = parsed.program.body as unknown as readonly Node[]
  for (const node of body) facts.visit(node, null, false)
  return {
    imports: facts.imports,
    globals: facts.globals,
    hidden: facts.hidden,
    emptyCatches: facts.emptyCatches,
    defaultExports: facts.defaultExports,
    isBarrel: body.length > 0 && body.every((node) => node.type.startsWith('Export') && isNode(node['source'])),
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
  }
}

class Facts {
  readonly imports: ImportFact[] = []
  readonly globals: string[] = []
  readonly hidden: string[] = []
  emptyCatches = 0
  defaultExports = 0

  visit(node: Node, parent: Node | null, inType: boolean): void {
    const typed = inType || (node.type.startsWith('TS') && !valueNodes.has(node.type))
    this.noteImport(node)
    if (!typed) this.noteValue(node, parent)
    for (const [key, child] of Object.entries(node)) {
      if (key === 'parent') continue
      for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) this.visit(item, node, typed)
    }
  }

  private noteImport(node: Node): void {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration': {
        if (!isNode(node['source'])) return
        const typeOnly = (node['importKind'] ?? node['exportKind']) === 'type'
        this.imports.push({ specifier: String(node['source']['value']), typeOnly, names: importedNames(node) })
        return
      }
      case 'ImportExpression':
      case 'TSImportType':
        this.imports.push({
          specifier: literal(node['source']) ?? '(computed)',
          typeOnly: node.type === 'TSImportType',
          names: [],
        })
        return
      case 'TSExternalModuleReference':
        this.imports.push({ specifier: literal(node['expression']) ?? '(computed)', typeOnly: false, names: [] })
        return
      default:
    }
  }

  private noteValue(node: Node, parent: Node | null): void {
    if (node.type === 'ExportDefaultDeclaration') this.defaultExports++
    if (node.type === 'ExportSpecifier' && nameOf(node['exported']) === 'default') this.defaultExports++
    if (node.type === 'CatchClause' && isEmptyBlock(node['body'])) this.emptyCatches++
    if (isEmptyCatchCall(node)) this.emptyCatches++
    if (node.type !== 'Identifier' || !watched.has(String(node['name'])) || parent === null) return
    if (isName(node, parent)) return
    if (isBinding(node, parent)) this.hidden.push(String(node['name']))
    else this.globals.push(usage(node, parent))
  }
}

/** `process` in `x.process`, `{ process: 1 }` or a method name is a name of something else. */
function isName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') {
    // `globalThis.process` is the global all the same.
    const throughGlobal = isNode(parent['object']) && parent['object']['name'] === 'globalThis'
    return parent['property'] === node && parent['computed'] !== true && !throughGlobal
  }
  const keyed = ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(parent.type)
  return keyed && parent['key'] === node && parent['computed'] !== true && parent['shorthand'] !== true
}

function isBinding(node: Node, parent: Node): boolean {
  switch (parent.type) {
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return parent['id'] === node || isParameter(node, parent)
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return isParameter(node, parent)
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return true
    default:
      return false
  }
}

const isParameter = (node: Node, parent: Node): boolean =>
  Array.isArray(parent['params']) && parent['params'].includes(node)

function usage(node: Node, parent: Node): string {
  const name = String(node['name'])
  if (parent.type === 'NewExpression' && parent['callee'] === node) {
    return Array.isArray(parent['arguments']) && parent['arguments'].length > 0 ? `new ${name}(…)` : `new ${name}()`
  }
  if (parent.type === 'CallExpression' && parent['callee'] === node) return `${name}()`
  if (parent.type === 'MemberExpression' && parent['object'] === node) {
    return parent['computed'] === true ? `${name}[…]` : `${name}.${nameOf(parent['property'])}`
  }
  return name
}

function importedNames(node: Node): string[] {
  const specifiers = Array.isArray(node['specifiers']) ? (node['specifiers'] as unknown[]) : []
  return specifiers.filter(isNode).map((specifier) => nameOf(specifier['imported'] ?? specifier['local']))
}

/** `.catch(() => {})` swallows as much as an empty clause does. */
function isEmptyCatchCall(node: Node): boolean {
  if (node.type !== 'CallExpression' || !isNode(node['callee']) || !Array.isArray(node['arguments'])) return false
  const callee = node['callee']
  const [handler] = node['arguments'] as unknown[]
  return (
    callee.type === 'MemberExpression' &&
    nameOf(callee['property']) === 'catch' &&
    isNode(handler) &&
    isEmptyBlock(handler['body'])
  )
}

const isEmptyBlock = (value: unknown): boolean =>
  isNode(value) && value.type === 'BlockStatement' && Array.isArray(value['body']) && value['body'].length === 0

const literal = (value: unknown): string | null =>
  isNode(value) && typeof value['value'] === 'string' ? value['value'] : null

const nameOf = (value: unknown): string => (isNode(value) ? String(value['name'] ?? value['value']) : '')

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
