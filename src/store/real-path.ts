import { realpathSync } from 'node:fs'
import { errnoOf } from './attempt.ts'

/** Without links; null if there is nothing. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    errnoOf(error)
    return null
  }
}
