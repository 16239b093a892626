import { readSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Recorded } from '../model/event.ts'
import type { Failure } from '../model/failure.ts'
import { reduce, type RunState } from '../model/run-state.ts'
import { storageFailure } from '../store/attempt.ts'
import { decodeRecord } from './record.ts'

export interface Replayed {
  /** null if there is no complete record yet. */
  readonly state: RunState | null
  /** Of the last complete record; 0 if there is none. */
  readonly seq: number
  /** Where the last complete record ends. */
  readonly goodBytes: number
  /** What a crash left behind it: part of a record, or the zeros of a block that was never written. Not counted. */
  readonly tornBytes: number
}

/** Where a replay goes on. */
export type ReplayedTo = Omit<Replayed, 'tornBytes'>

interface ReplayOptions {
  readonly each?: ((event: Recorded) => void) | undefined
  readonly from?: ReplayedTo | undefined
}

const beginning: ReplayedTo = { state: null, seq: 0, goodBytes: 0 }

/** A longer line was not written by us. */
export const maxRecordBytes = 16 * 1024 * 1024

/**
 * Folds a journal from its first byte, or from where an earlier replay ended, in one pass and with one buffer. A record
 * counts when its line feed is there, since that is its last byte: what stands behind the last line feed is torn,
 * whatever it is. Every complete line must hold, or the journal is damaged.
 */
export function replay(
  fd: number,
  path: string,
  { each, from = beginning }: ReplayOptions = {},
): Result<Replayed, Failure> {
  let buffer = Buffer.allocUnsafe(256 * 1024)
  let filled = 0
  let { state, seq, goodBytes } = from
  for (;;) {
    let count: number
    try {
      count = readSync(fd, buffer, filled, buffer.length - filled, goodBytes + filled)
    } catch (error) {
      return err(storageFailure('read', path, error))
    }
    if (count === 0) return ok({ state, seq, goodBytes, tornBytes: filled })
    const scanned = filled
    filled += count
    let start = 0
    for (let end = buffer.indexOf(0x0a, scanned); end !== -1 && end < filled; end = buffer.indexOf(0x0a, start)) {
      const decoded = decodeRecord(buffer.subarray(start, end), seq + 1)
      const why = decoded.ok ? outOfPlace(decoded.value, state) : decoded.error
      if (!decoded.ok || why !== null) return damaged(path, seq + 1, why ?? '')
      seq++
      state = reduce(state, decoded.value)
      each?.(decoded.value)
      start = end + 1
    }
    buffer.copyWithin(0, start, filled)
    filled -= start
    goodBytes += start
    if (filled === buffer.length) {
      if (filled >= maxRecordBytes) return damaged(path, seq + 1, 'the line is too long')
      buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, maxRecordBytes))
    }
  }
}

/** A run starts once, with the first record. */
export function outOfPlace(event: { readonly kind: string }, state: RunState | null): string | null {
  if (state === null) return event.kind === 'run.started' ? null : `a journal that begins with ${event.kind}`
  return event.kind === 'run.started' ? 'a second run.started' : null
}

function damaged(path: string, line: number, why: string): Result<never, Failure> {
  return err({ reason: 'journal-damaged', path, line, why })
}
