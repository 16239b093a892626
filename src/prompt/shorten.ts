import { visible } from '../base/visible.ts'

export interface Shortened {
  /** Escaped, and at most as long as asked, but for the line that names what is missing. */
  readonly text: string
  /** How many characters of the original are not in it. */
  readonly omittedChars: number
}

/**
 * Foreign text with nothing invisible in it, the beginning and the end where it is too long. It is cut before it is
 * escaped, so that its length costs nothing, and again after, because escaping makes it up to nine times longer.
 */
export function shorten(text: string, maxChars: number): Shortened {
  if (text.length <= maxChars) {
    const whole = visible(text)
    if (whole.length <= maxChars) return { text: whole, omittedChars: 0 }
  }
  const middle = Math.ceil(text.length / 2)
  const half = Math.ceil(maxChars / 2)
  const head = fit(text.slice(0, Math.min(middle, half)), half, beginning)
  const tail = fit(text.slice(Math.max(middle, text.length - (maxChars - half))), maxChars - half, end)
  const omittedChars = text.length - head.length - tail.length
  const shown = [visible(head), `[… ${omittedChars} characters left out …]`, visible(tail)]
  return { text: shown.filter((part) => part !== '').join('\n'), omittedChars }
}

type Cut = (text: string, length: number) => string

/** As much of a text as is no longer than this when it is escaped. */
function fit(text: string, budget: number, cut: Cut): string {
  let kept = cut(text, text.length)
  for (;;) {
    const grown = visible(kept).length
    if (grown <= budget) return kept
    kept = cut(kept, Math.floor((kept.length * budget) / grown))
  }
}

/** Neither cuts a character in two, which would be shown as one that was never there; lines stay whole where they can. */
const beginning: Cut = (text, length) => {
  const kept = text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
  const line = kept.lastIndexOf('\n')
  return line > kept.length * 0.8 ? kept.slice(0, line) : kept
}

const end: Cut = (text, length) => {
  const kept = text.slice(text.length - length).replace(/^[\udc00-\udfff]/, '')
  const line = kept.indexOf('\n')
  return line !== -1 && line < kept.length * 0.2 ? kept.slice(line + 1) : kept
}
