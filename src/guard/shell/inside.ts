import { isAbsolute } from 'node:path'
import { unknown } from './pattern.ts'

/** A path from each of the directories; absolute ones once. */
export function inside(directories: readonly string[], path: string): string[] {
  if (path === '') return []
  if (isAbsolute(path) || path.startsWith(unknown)) return [path]
  return directories.map((directory) => `${directory}/${path}`)
}
