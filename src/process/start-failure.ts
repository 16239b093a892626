import { existsSync } from 'node:fs'
import type { Failure } from '../model/failure.ts'

/**
 * What `spawn` said as a value. Some of it is thrown (E2BIG, a NUL in an argument that an agent wrote), some emitted
 * (ENOENT, EACCES); anything without a code is a bug of ours.
 */
export function startFailure(
  error: unknown,
  spec: { readonly program: string; readonly cwd: string },
): Extract<Failure, { reason: 'cannot-start' }> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (code === null) throw error
  // The kernel says ENOENT for a missing working directory too, which sends people looking for the program.
  const where = code === 'ENOENT' && !existsSync(spec.cwd) ? `${code}: no directory ${spec.cwd}` : code
  return { reason: 'cannot-start', program: spec.program, code: where }
}
