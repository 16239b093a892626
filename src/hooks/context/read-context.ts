import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { errnoOf } from '../../store/attempt.ts'
import { linesBackwards, type Bounds } from './lines-backwards.ts'
import { readTranscriptLine } from './transcript-line.ts'

/** How much of the context is used, as far as the transcript tells. */
export type Transcript =
  /** No regular file that can be read, as with `--no-session-persistence`. */
  | { readonly kind: 'none' }
  /** Nothing in all that may be read. */
  | { readonly kind: 'unknown'; readonly size: number }
  | {
      readonly kind: 'known'
      readonly size: number
      readonly tokens: number
      readonly model: string
      /** How far the file must grow at least for one more token: real ones have a byte, estimated ones are made of four. */
      readonly bytesPerToken: 1 | 4
    }

/** An image in a line can have 30 MB, a message of a model no more than a few hundred kB. */
const usual: Bounds = { maxLine: 8 * 1024 * 1024, maxBytes: 64 * 1024 * 1024, maxLines: 100_000 }

// A FIFO must not make us wait. Links are followed: people keep their configuration behind them.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

export function readContext(path: string, bounds: Bounds = usual): Transcript {
  let fd: number
  try {
    fd = openSync(path, flags)
  } catch (error) {
    errnoOf(error)
    return { kind: 'none' }
  }
  try {
    const seen = fstatSync(fd)
    return seen.isFile() ? search(fd, seen.size, bounds) : { kind: 'none' }
  } finally {
    closeSync(fd)
  }
}

/** From the end to the last usage, or to the last compaction and from there on only for the model. */
function search(fd: number, size: number, bounds: Bounds): Transcript {
  const lines = linesBackwards(fd, size, bounds)
  let compacted: { readonly tokens: number | null; readonly start: number } | null = null
  for (;;) {
    const next = lines.next()
    if (next.done === true) {
      if (compacted !== null) return sinceCompaction('')
      return next.value ? estimate(size) : { kind: 'unknown', size }
    }
    const word = readTranscriptLine(next.value.bytes)
    if (word?.kind === 'compacted') compacted ??= { tokens: word.tokens, start: next.value.start }
    else if (word !== null) {
      if (compacted !== null) return sinceCompaction(word.model)
      return { kind: 'known', size, tokens: word.tokens, model: word.model, bytesPerToken: 1 }
    }
  }

  function sinceCompaction(model: string): Transcript {
    const { tokens, start } = compacted ?? { tokens: null, start: 0 }
    return tokens === null
      ? { ...estimate(size - start), model }
      : { kind: 'known', size, tokens, model, bytesPerToken: 1 }
  }

  function estimate(bytes: number): Extract<Transcript, { kind: 'known' }> {
    return { kind: 'known', size, tokens: Math.floor(bytes / 4), model: '', bytesPerToken: 4 }
  }
}
