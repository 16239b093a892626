import { styleText } from 'node:util'
import { visibleLine } from '../base/visible.ts'
import type { Line, Tone } from './line.ts'
import type { Mark, Symbols } from './symbols.ts'
import { cutToWidth, textWidth } from './text-width.ts'
import { wrapText } from './wrap-text.ts'

/** How a line is set. */
export interface Style {
  readonly symbols: Symbols
  readonly color: boolean
}

/** No single line is longer, however wide the terminal is. */
const maxLength = 2000
const printable = /^[ -~]*$/
/** Where nothing has a width, a cut line ends here. */
const plainWidth = 200
/** Narrower terminals wrap for themselves; only the status line has to fit on any. */
const leastWidth = 8

/**
 * A line of ours as lines of a terminal that is this wide. Together with `layOutPlain` and the status line the only way
 * of a text to the screen: nothing of anybody else's passes that could do more than be read.
 */
export function layOut(line: Line, width: number, { symbols, color }: Style): string[] {
  const { indent, mark, tone } = line
  const sign = signOf(line, symbols)
  const margin = indent + (sign === '' ? 0 : textWidth(sign) + 1)
  const lines = fitted(line, Math.max(leastWidth, width - margin), symbols)
  return lines.map((text, index) => {
    const begin =
      index > 0 || mark === null ? ' '.repeat(margin) : `${' '.repeat(indent)}${painted(sign, markTones[mark], color)} `
    return text === '' && sign === '' ? '' : begin + painted(text, tone, color)
  })
}

/** A line without a terminal: never colour, never wrapped, and it never begins with a word of the agent's. */
export function layOutPlain(line: Line, time: string, { symbols }: Style): string {
  const { from, indent } = line
  const sign = signOf(line, symbols)
  const text = withoutCommands(
    fitted({ ...line, fit: line.fit === 'cut' ? 'cut' : 'whole' }, plainWidth, symbols).join(' '),
  )
  const margin =
    from === 'runner'
      ? `${time} `
      : from === 'agent'
        ? `  | ${' '.repeat(Math.max(0, indent - 4))}`
        : ' '.repeat(indent)
  return `${margin}${sign}${sign === '' ? '' : ' '}${text}`.trimEnd()
}

/** Any text on one line that can be shown. */
export function shown(text: string): string {
  // Most lines are printable ASCII, and an agent can print a hundred megabytes of them.
  if (text.length <= maxLength && printable.test(text)) return text
  return visibleLine(text.slice(0, maxLength + 1).replaceAll('\t', '  '), maxLength)
}

/**
 * `##[add-mask]` and `##vso[…]` are commands to GitHub Actions and Azure Pipelines wherever they stand in a line; `::add-mask::`
 * only at its beginning, where no text of the agent's stands.
 */
export function withoutCommands(text: string, escaped = '\\u{23}'): string {
  return text.replaceAll(/##(?=[\w.-]*\[)/g, `#${escaped}`)
}

/** In the summary, where lines stand below each other, signs of different width would make them ragged. */
function signOf({ from, mark }: Line, { marks }: Symbols): string {
  if (mark === null) return ''
  return from === 'summary' && mark !== 'item' ? marks[mark].padEnd(marks.ok.length) : marks[mark]
}

function fitted({ text, tail, fit }: Line, width: number, { ellipsis }: Symbols): string[] {
  const all = shown(text)
  const end = tail === '' ? '' : ` ${shown(tail)}`
  if (fit === 'whole') return [all + end]
  if (fit === 'wrap') return wrapText(all + end, width)
  const room = width - textWidth(end)
  // A tail that leaves no room for what it belongs to says nothing.
  return [room < leastWidth ? cutToWidth(all, width, ellipsis) : cutToWidth(all, room, ellipsis) + end]
}

const markTones: Readonly<Record<Mark, Tone>> = {
  ok: 'good',
  fail: 'bad',
  open: 'dim',
  attention: 'attention',
  item: 'normal',
}

const styles = { dim: 'dim', strong: 'bold', good: 'green', bad: 'red', attention: 'yellow' } as const

export function painted(text: string, tone: Tone, color: boolean): string {
  // Whether there is colour has been decided: neither the environment nor a stream is asked again.
  return color && tone !== 'normal' && text !== '' ? styleText(styles[tone], text, { validateStream: false }) : text
}
