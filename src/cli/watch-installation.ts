import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What Claude Code would load of a plugin, and what Ralph itself loads later on; nothing else of a clone. */
const watched = [
  '.claude-plugin',
  '.lsp.json',
  '.mcp.json',
  'agents',
  'bin',
  'commands',
  'hljs',
  'hooks',
  'monitors',
  'output-styles',
  'scripts',
  'settings.json',
  'skills',
  'templates',
  'themes',
  'workflows',
]

/** Ours are far smaller. */
const maxBytes = 8 * 1024 * 1024

/**
 * Remembers Ralph's own files as they are now, and gives the function that says which of them is another one since: in direct mode
 * an agent can write there, and the next session would run what it wrote.
 */
export function watchInstallation(root: string): () => string | null {
  const before = filesOf(root, Infinity, new Map())
  return () => {
    const most = before.size + 1000
    const now = filesOf(root, most, before)
    // What was not reached is not gone.
    const gone = now.size < most ? before.keys() : []
    const paths = [...new Set([...gone, ...now.keys()])].toSorted()
    const changed = paths.filter((path) => before.get(path)?.print !== now.get(path)?.print)
    // A file says more than the directory that came or went with it.
    return changed.find((path) => !changed.some((other) => other.startsWith(`${path}/`))) ?? null
  }
}

interface Seen {
  /** Equal for what is equal. */
  readonly print: string
  /** Of a file: nobody can set the time of its last change, so what has the same stamp need not be read again. */
  readonly stamp?: string
  /** Of a directory. */
  readonly names?: readonly string[]
}

/** Up to so many: whoever plants more than that is found by the first of them. */
function filesOf(root: string, most: number, before: ReadonlyMap<string, Seen>): Map<string, Seen> {
  const found = new Map<string, Seen>()
  const open = [...watched]
  for (let path = open.pop(); path !== undefined && found.size < most; path = open.pop()) {
    const seen = lookAt(join(root, path), before.get(path))
    if (seen === null) continue
    found.set(path, seen)
    for (const name of seen.names ?? []) open.push(`${path}/${name}`)
  }
  return found
}

/** Null: there is nothing. What cannot be read is that, and no reason to fail: an agent may have seen to it. */
function lookAt(path: string, before: Seen | undefined): Seen | null {
  try {
    return lookWell(path, before)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { print: `unreadable ${String(error.code)}` }
    throw error
  }
}

/** Links are not followed, and what is no file is not opened. */
function lookWell(path: string, before: Seen | undefined): Seen | null {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (stat === undefined) return null
  if (stat.isDirectory()) return { print: `directory ${stat.mode}`, names: readdirSync(path) }
  if (stat.isSymbolicLink()) return { print: `link ${readlinkSync(path)}` }
  if (!stat.isFile()) return { print: `no file ${stat.mode}` }
  const stamp = [stat.dev, stat.ino, stat.mode, stat.size, stat.ctimeNs].join(' ')
  if (before?.stamp === stamp) return before
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { mode, size } = fstatSync(file)
    const head = `${mode.toString(8)} ${size}`
    const print = size > maxBytes ? head : `${head} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`
    return { print, stamp }
  } finally {
    closeSync(file)
  }
}
