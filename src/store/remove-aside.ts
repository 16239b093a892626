import { randomBytes } from 'node:crypto'
import { lstatSync, renameSync, rmSync } from 'node:fs'
import { err, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from './attempt.ts'

/**
 * Removes a directory of ours, as the real path that it is, with all that is in it: in one moment for whoever looks for it, since
 * half of it would be worse than all or nothing. Links in it are removed and not followed.
 */
export function removeAside(path: string): Result<void, Failure> {
  const seen = attempt('look at', path, () => lstatSync(path))
  if (!seen.ok) return seen
  if (!seen.value.isDirectory()) return err({ reason: 'unsafe-file', path, why: 'it is not a directory' })
  return attempt('remove', path, () => {
    const aside = `${path}.removed-${randomBytes(8).toString('hex')}`
    renameSync(path, aside)
    rmSync(aside, { recursive: true, force: true })
  })
}
