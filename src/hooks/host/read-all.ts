import { readSync } from 'node:fs'
import { err, ok, type Result } from '../../base/result.ts'
import { errnoOf } from '../../store/attempt.ts'
import { readUpTo } from '../../store/read-up-to.ts'

export interface ReadLimits {
  readonly maxBytes: number
  /** By `Date.now()`; heeded only where the descriptor does not block. */
  readonly until?: number
}

/** All that comes from a descriptor until its end, as text; else why not. */
export function readAll(fd: number, { maxBytes, until = Infinity }: ReadLimits): Result<string, string> {
  const bytes = readUpTo(maxBytes, (into, at) => inTime(until, () => readSync(fd, into, at, into.length - at, null)))
  if (bytes !== null) return ok(bytes.toString())
  return err(Date.now() > until ? 'not there in time' : `longer than ${maxBytes} bytes`)
}

/** Waits where whoever started us left the pipe non-blocking. What does not come in time counts as too much. */
function inTime(until: number, read: () => number): number {
  while (Date.now() <= until) {
    try {
      return read()
    } catch (error) {
      const code = errnoOf(error)
      if (code === 'EOF') return 0
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
  return Infinity
}
