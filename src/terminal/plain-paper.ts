import { clockTime } from './clock-time.ts'
import type { Screen } from './display.ts'
import { layOutPlain, type Style } from './lay-out.ts'
import type { Paper } from './paper.ts'

/** Lines for a file or a pipe: nothing is ever rewritten. */
export function plainPaper(screen: Screen, style: Style): Paper {
  return {
    print(lines, time) {
      const clock = clockTime(time) ?? '--:--:--'
      if (lines.length > 0) screen.write(lines.map((line) => `${layOutPlain(line, clock, style)}\n`).join(''))
    },
    status: () => undefined,
  }
}
