import { visible } from '../base/visible.ts'

export interface Shortened {
  /** Escaped, and at most as long as asked, but for the line that names what is missing. */
  readonly text: string
  /** How many characters of the original are not in it. */
  readonly omittedChars: number
}

/**
 * Foreign text with nothing invisible in it, the beginning and the end where it is too long. Escaping makes it up to
 * eight times longer and counts, so no more of it is escaped than will be shown, however long it is.
 */
export function shorten(text: string, maxChars: number): Shortened {
  if (text.length <= maxChars) {
    const whole = visible(text)
    if (whole.length <= maxChars) return { text: whole, omittedChars: 0 }
  }
  const middle = Math.ceil(text.length / 2)
  const half = Math.ceil(maxChars / 2)
  const head = beginning(text.slice(0, middle), half)
  const tail = end(text.slice(middle), maxChars - half)
  const omittedChars = text.length - head.length - tail.length
  const shown = [visible(head), `[… ${omittedChars} characters left out …]`, visible(tail)]
  return { text: shown.filter((part) => part !== '').join('\n'), omittedChars }
}

/** Both keep lines whole where one ends nearby. */
function beginning(text: string, budget: number): string {
  const kept = text.slice(
    0,
    fit(budget, (from, to) => dropHalf(text.slice(from, to), /[\ud800-\udbff]$/)),
  )
  const line = kept.lastIndexOf('\n')
  return line > kept.length * 0.8 ? kept.slice(0, line) : kept
}

function end(text: string, budget: number): string {
  const { length } = text
  const size = fit(budget, (from, to) =>
    dropHalf(text.slice(Math.max(0, length - to), length - from), /^[\udc00-\udfff]/),
  )
  const kept = text.slice(length - size)
  const line = kept.indexOf('\n')
  return line !== -1 && line < kept.length * 0.2 ? kept.slice(line + 1) : kept
}

/** Half of a character would be shown as one that was never there. */
const dropHalf = (piece: string, half: RegExp): string => piece.replace(half, '')

/** How much of a text, piece by piece from one of its ends, is no longer than this when it is escaped. */
function fit(budget: number, take: (from: number, to: number) => string): number {
  let kept = 0
  let room = budget
  let step = 512
  while (step > 0) {
    const piece = take(kept, kept + Math.min(step, room))
    const grown = visible(piece).length
    if (piece === '') break
    if (grown <= room) {
      kept += piece.length
      room -= grown
    } else step = Math.floor(piece.length / 2)
  }
  return kept
}
