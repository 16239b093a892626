import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Every path below some directories with its kind, permissions, time and content: what must be the same afterwards. */
export function diskPrint(...roots: readonly string[]): string[] {
  return roots.flatMap((root) => (existsSync(root) ? printOf(root) : [`${root} is not there`]))
}

function printOf(path: string): string[] {
  const seen = lstatSync(path)
  const line = `${path} ${seen.mode.toString(8)}`
  if (seen.isDirectory()) {
    const inside = readdirSync(path)
      .toSorted()
      .flatMap((name) => printOf(join(path, name)))
    return [line, ...inside]
  }
  if (seen.isSymbolicLink()) return [`${line} → ${readlinkSync(path)}`]
  if (!seen.isFile()) return [line]
  return [`${line} ${seen.mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`]
}
