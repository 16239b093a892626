import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { errnoOf } from '../../store/attempt.ts'
import { linesBackwards, type Bounds, type Line } from './lines-backwards.ts'
import { readTranscriptLine, type LineWord } from './transcript-line.ts'

/** How much of the context is used, as far as the transcript tells. */
export type Transcript =
  /** No regular file that can be read, as with `--no-session-persistence`. */
  | { readonly kind: 'none' }
  /** Nothing in all that may be read. */
  | { readonly kind: 'unknown' }
  | KnownContext

interface KnownContext {
  readonly kind: 'known'
  readonly tokens: number
  readonly model: string
  /** From the size, for want of any usage: some three to six times too many, and no fewer after a compaction. */
  readonly isEstimate: boolean
  /** Whether it is of the message that made the call: Claude Code writes that up to 100 ms after the call was made. */
  readonly isCurrent: boolean
}

/** An image in a line can have 30 MB, a message of a model no more than a few hundred kB. */
const usual: Bounds = { maxLine: 8 * 1024 * 1024, maxBytes: 64 * 1024 * 1024, maxLines: 100_000 }

// A FIFO must not make us wait. Links are followed: people keep their configuration behind them.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/** Lines of one message are close together. */
const maxMessageBytes = 256 * 1024

/** `call` is the id of the tool call that has just ended; '' if it does not matter which message made it. */
export function readContext(path: string, call: string, bounds: Bounds = usual): Transcript {
  let fd: number
  try {
    fd = openSync(path, flags)
  } catch (error) {
    errnoOf(error)
    return { kind: 'none' }
  }
  try {
    const seen = fstatSync(fd)
    return seen.isFile() ? search(linesBackwards(fd, seen.size, bounds), seen.size, call) : { kind: 'none' }
  } finally {
    closeSync(fd)
  }
}

/**
 * From the end to the last usage, and through all lines of its message for the call; or to the last compaction, and from
 * there on only for the model.
 */
function search(lines: Generator<Line, boolean, void>, size: number, call: string): Transcript {
  let compacted: { readonly tokens: number | null; readonly start: number } | null = null
  let found: (LineWord & { kind: 'usage' }) | null = null
  for (;;) {
    const next = lines.next()
    if (next.done === true) {
      if (found !== null) return known(found.tokens, found.model)
      if (compacted !== null) return sinceCompaction(compacted, '')
      return next.value ? estimate(size, '') : { kind: 'unknown' }
    }
    const { text, start } = next.value
    if (found !== null && size - start > maxMessageBytes) return known(found.tokens, found.model)
    const word = readTranscriptLine(text)
    if (word === null) continue
    if (word.kind === 'compacted') {
      if (found !== null) return known(found.tokens, found.model)
      compacted ??= { tokens: word.tokens, start }
    } else if (compacted !== null) return sinceCompaction(compacted, word.model)
    else {
      if (found !== null && found.message !== word.message) return known(found.tokens, found.model)
      found ??= word
      if (call === '' || text.includes(call)) return { ...known(found.tokens, found.model), isCurrent: true }
    }
  }

  function known(tokens: number, model: string): KnownContext {
    return { kind: 'known', tokens, model, isEstimate: false, isCurrent: false }
  }

  function estimate(bytes: number, model: string): KnownContext {
    return { ...known(Math.floor(bytes / 4), model), isEstimate: true, isCurrent: true }
  }

  function sinceCompaction(boundary: { tokens: number | null; start: number }, model: string): Transcript {
    return boundary.tokens === null ? estimate(size - boundary.start, model) : known(boundary.tokens, model)
  }
}
