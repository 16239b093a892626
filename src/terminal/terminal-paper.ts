import type { Screen } from './display.ts'
import { layOut, painted, shown, type Style } from './lay-out.ts'
import type { Paper } from './paper.ts'
import { cutToWidth } from './text-width.ts'

const eraseLine = '\u{1b}[K'
/** What a terminal that does not know its own width is taken for. */
const usualColumns = 80

/**
 * Lines that scroll, and below them one that is rewritten. The cursor rests in the first column of it, for two reasons: an
 * echoed `^C` lands inside the line and cannot make it wrap, and if the terminal becomes narrower and wraps it by itself,
 * its remains are below the cursor, where whatever is written next erases them.
 */
export function terminalPaper(screen: Screen, style: Style): Paper {
  let drawn: string | null = null
  /** From the first status on: remains of it may lie below, so every line is erased before it is written. */
  let erase = ''

  /** One column less than there are: a full line leaves terminals in a state in which erasing takes its last character. */
  const width = (): number => {
    const columns = screen.columns()
    return (columns > 0 ? columns : usualColumns) - 1
  }
  /** Where the cursor is in the first column; leaves it there. */
  const draw = (status: string | null): string => {
    drawn =
      status === null
        ? null
        : painted(cutToWidth(` ${shown(status)}`, width(), style.symbols.ellipsis), 'dim', style.color)
    if (drawn !== null) erase = eraseLine
    return drawn === null ? erase : `${erase}${drawn}\r`
  }

  return {
    print(lines, _time, status) {
      const begin = drawn === null ? '' : '\r'
      const body = lines.flatMap((line) => layOut(line, width(), style)).map((line) => `${erase}${line}\n`)
      if (body.length > 0) screen.write(`${begin}${body.join('')}${draw(status)}`)
      else this.status(status)
    },
    status(status) {
      const before = drawn
      const text = draw(status)
      if (drawn !== before) screen.write(`\r${text}`)
    },
  }
}
