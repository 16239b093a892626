import { rmSync } from 'node:fs'
import type { Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from './attempt.ts'
import { makePrivateDirectory } from './private-directory.ts'

/** An empty directory that only its owner can enter, whatever was there. Links are removed, never followed. */
export function makeFreshDirectory(path: string): Result<void, Failure> {
  const removed = removeDirectory(path)
  return removed.ok ? makePrivateDirectory(path) : removed
}

export function removeDirectory(path: string): Result<void, Failure> {
  return attempt('remove', path, () => rmSync(path, { recursive: true, force: true }))
}
