import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { errnoOf, storageFailure } from './attempt.ts'
import { syncDirectory } from './sync-directory.ts'

/**
 * Makes a directory that only its owner can enter, its missing parents too, and makes their names durable unless nobody would miss
 * them. One by one: node's own way to make parents never ends where none can be made (/proc).
 */
export function makePrivateDirectory(path: string, names: 'durable' | 'unsynced' = 'durable'): Result<void, Failure> {
  try {
    make(path, names === 'durable')
    const seen = lstatSync(path)
    if (!seen.isDirectory()) return err({ reason: 'unsafe-file', path, why: 'it is not a directory' })
    if ((seen.mode & 0o077) !== 0) chmodSync(path, 0o700)
    return ok(undefined)
  } catch (error) {
    return err(storageFailure('create', path, error))
  }
}

function make(path: string, isDurable: boolean): void {
  if (!tryToMake(path, isDurable)) {
    make(dirname(path), isDurable)
    if (!tryToMake(path, isDurable)) throw Object.assign(new Error(`no way to ${path}`), { code: 'ENOENT' })
  }
}

/** False if its parent is missing. One that is there already, perhaps made by another starter just now, is fine. */
function tryToMake(path: string, isDurable: boolean): boolean {
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' && dirname(path) !== path) return false
    if (code === 'EEXIST') return true
    throw error
  }
  if (isDurable) syncDirectory(dirname(path))
  return true
}
