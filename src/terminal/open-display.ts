import type { Display, DisplayOptions, Screen } from './display.ts'
import { openJsonDisplay } from './open-json-display.ts'
import { openTextDisplay } from './open-text-display.ts'
import { plainPaper } from './plain-paper.ts'
import { fineSymbols, plainSymbols } from './symbols.ts'
import { terminalPaper } from './terminal-paper.ts'

/** Shows a run on a screen; `pretty` needs a terminal and is plain without one. */
export function openDisplay(screen: Screen, options: DisplayOptions): Display {
  if (options.format === 'json') return openJsonDisplay(screen, options)
  const symbols = options.emoji ? fineSymbols : plainSymbols
  if (options.format === 'plain' || !screen.isTerminal) {
    return openTextDisplay(plainPaper(screen, { symbols, color: false }), options, symbols)
  }
  const display = openTextDisplay(terminalPaper(screen, { symbols, color: options.color }), options, symbols)
  const stop = options.quiet ? () => undefined : screen.every(1000, () => display.refresh())
  return {
    ...display,
    close() {
      stop()
      display.close()
    },
  }
}
