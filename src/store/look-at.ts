import { lstatSync, type Stats } from 'node:fs'
import { errnoOf } from './attempt.ts'

/** What is at a path, without following it; null if nothing is. */
export function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

/** The names of a relative path, or null if it could lead out of its root. */
export function namesOf(relativePath: string): string[] | null {
  const names = relativePath.split('/')
  return names.every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0')) ? names : null
}
