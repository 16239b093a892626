import { basename, dirname } from 'node:path'
import { isObject, parseJson } from '../base/json.ts'
import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import { readSmall } from '../store/read-small.ts'
import { removeFile } from '../store/remove-file.ts'
import { replaceFile } from '../store/replace-file.ts'

/** How soon a runner is asked to stop. */
export type StopRequest = 'now' | 'after-iteration'

/**
 * Asks the runner that holds the lock with this nonce to stop: a file and no signal, since a pid in a file may by now
 * be somebody else's. A request for `now` is never weakened by a later one.
 */
export function requestStop(path: string, nonce: string, request: StopRequest): Result<void, Failure> {
  if (request === 'after-iteration' && readRequest(path, nonce) === 'now') return ok(undefined)
  return replaceFile(path, Buffer.from(`${JSON.stringify({ nonce, request })}\n`))
}

/** For the runner, often: what is asked of the holder of this nonce. Requests to earlier runs and garbage are nothing. */
export function readRequest(path: string, nonce: string): StopRequest | null {
  const seen = readSmall(dirname(path), basename(path), 4096)
  if (seen.kind !== 'text') return null
  const json = parseJson(seen.text)
  if (!json.ok || !isObject(json.value) || json.value['nonce'] !== nonce) return null
  const { request } = json.value
  return request === 'now' || request === 'after-iteration' ? request : null
}

/** At the start of a run, by the holder of the lock. */
export function clearRequest(path: string): Result<void, Failure> {
  return attempt('remove', path, () => {
    removeFile(path)
  })
}
