import { lstatSync, readdirSync } from 'node:fs'
import { codeOf } from './disk.ts'

/**
 * Whether what is at `.git` of some directory makes it a repository, as far as a look tells. Sandboxes leave empty directories of that
 * name where they have looked for one (codex makes /tmp/.git); git does not care for them either.
 */
export function isRepository(path: string): boolean {
  try {
    const seen = lstatSync(path, { throwIfNoEntry: false })
    return seen !== undefined && (!seen.isDirectory() || readdirSync(path).length > 0)
  } catch (error) {
    // What cannot be looked into may be one.
    return codeOf(error) === 'EACCES'
  }
}
