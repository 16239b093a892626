import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'

/** Runs system calls whose refusal can be expected; anything else that is thrown is a bug and stays thrown. */
export function attempt<T>(doing: string, path: string, action: () => T): Result<T, Failure> {
  try {
    return ok(action())
  } catch (error) {
    return err(storageFailure(doing, path, error))
  }
}

export function storageFailure(doing: string, path: string, error: unknown): Failure {
  return { reason: 'storage', doing, path, code: errnoOf(error) }
}

/** `ENOENT` and its like; Node's own `ERR_…` means that we called it wrongly, so it is thrown again. */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (typeof code !== 'string' || !/^E(?!RR_)[A-Z0-9]+$/.test(code)) throw error
  return code
}
