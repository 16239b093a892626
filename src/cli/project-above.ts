import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The repository that a directory lies in without being its top: who looks there most likely means that one. */
export function projectAbove(directory: string): string | null {
  if (existsSync(join(directory, '.git'))) return null
  for (let path = dirname(directory); dirname(path) !== path; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path
  }
  return null
}
