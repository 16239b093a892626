import type { Rejected } from '../git/rejected.ts'
import type { TakenOut } from './stories-ports.ts'

/** A path of the project that was taken out, as it is kept for people. */
export function takenOut({ path, kind, content, savedAs }: Rejected): TakenOut[] {
  if (kind === 'directory') return []
  const bytes = content ?? Buffer.from(savedAs === null ? `a ${kind} that could not be kept` : `kept as ${savedAs}`)
  return [{ what: path, bytes }]
}
