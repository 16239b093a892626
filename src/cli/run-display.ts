import { redactText } from '../process/redactor.ts'
import { secretValues } from '../process/secret-values.ts'
import type { Display, Screen } from '../terminal/display.ts'
import { openDisplay } from '../terminal/open-display.ts'
import type { Input } from './command.ts'
import type { RunSettings } from './run-settings.ts'
import { systemClock } from './system-clock.ts'

/** How this run shows itself: as it was asked to, else as it fits where the output goes. */
export function openRunDisplay({ output, env }: Input, { show }: RunSettings, project: string): Display {
  const screen = withoutKeys(output.screen?.() ?? linesOnly(output), env)
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
    project,
    clock: systemClock,
  })
}

/** What an agent makes a title or the name of a file of stands in no stream that is read through the redactor. */
function withoutKeys(screen: Screen, env: Input['env']): Screen {
  const redact = redactText(secretValues(env))
  return {
    get isTerminal() {
      return screen.isTerminal
    },
    write: (text) => screen.write(redact(text)),
    columns: () => screen.columns(),
    every: (ms, tick) => screen.every(ms, tick),
  }
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
