import { visible } from '../base/visible.ts'
import type { Recorded } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { Display, DisplayOptions, Screen } from './display.ts'
import { withoutCommands } from './lay-out.ts'

/** One event of the journal a line, for programs; with `verbose` what the agent does as well. */
export function openJsonDisplay(screen: Screen, { verbose }: DisplayOptions): Display {
  return {
    event: (event) => screen.write(`${jsonLine(event)}\n`),
    notice: (notice) => {
      if (verbose) screen.write(`${jsonLine(notice)}\n`)
    },
    remark: () => undefined,
    summary: () => undefined,
    close: () => undefined,
  }
}

/** The same value to whoever parses it, and harmless to whoever only looks: JSON leaves C1, bidi and more as they are. */
export function jsonLine(value: Recorded | Notice): string {
  const escaped = JSON.stringify(value).replaceAll(/[^ -~]/gu, (character) =>
    visible(character) === character ? character : inUnits(character),
  )
  return withoutCommands(escaped, String.raw`\u0023`)
}

function inUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
}
