import type { Display, Screen } from '../terminal/display.ts'
import { openDisplay } from '../terminal/open-display.ts'
import type { Input } from './command.ts'
import type { RunSettings } from './run-settings.ts'
import { systemClock } from './system-clock.ts'

/** How this run shows itself: as it was asked to, else as it fits where the output goes. */
export function openRunDisplay({ output, env }: Input, { show }: RunSettings): Display {
  const screen = output.screen?.() ?? linesOnly(output)
  // A dumb terminal cannot rewrite a line.
  const isCapable = screen.isTerminal && env['TERM'] !== 'dumb'
  const format = show.output ?? (isCapable ? 'pretty' : 'plain')
  return openDisplay(screen, {
    format,
    color: isCapable && (env['NO_COLOR'] ?? '') === '',
    emoji: show.emoji ?? true,
    quiet: show.quiet ?? false,
    verbose: show.verbose ?? false,
    streamAgentOutput: show.streamAgentOutput ?? true,
    clock: systemClock,
  })
}

/** For callers that have only lines to give. */
function linesOnly(output: Input['output']): Screen {
  return {
    write: (text) => output.line(text.replace(/\n$/, '')),
    isTerminal: false,
    columns: () => 0,
    every: () => () => undefined,
  }
}
