import { unlinkSync } from 'node:fs'
import { errnoOf } from './attempt.ts'

/** Removes a name, never what a link points to. True if it was there. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}
