import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import type { Flags } from './overrides-from-flags.ts'
import { parseOneOf } from './parse-value.ts'
import type { ShowOptions } from './run-options.ts'
import type { Settings } from './settings-schema.ts'

const parseOutput = parseOneOf(['pretty', 'plain', 'json'])

/** How the run is to show itself, as far as anybody said. */
export function showOptions(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  { streamAgentOutput }: Settings,
): Result<Partial<ShowOptions>, Failure> {
  const flag = flags['output']
  const text = typeof flag === 'string' ? flag : (env['RALPH_OUTPUT'] ?? '')
  const output = text === '' && typeof flag !== 'string' ? ok(undefined) : parseOutput(text)
  if (!output.ok) {
    const name = typeof flag === 'string' ? '--output' : 'The variable RALPH_OUTPUT'
    const message = `${name} ${output.error}, not "${visibleLine(text, 60)}".`
    return err({ reason: 'usage', message, fix: 'Leave it out for what fits where you are.' })
  }
  const stream = typeof flags['streamAgentOutput'] === 'boolean' ? flags['streamAgentOutput'] : streamAgentOutput
  return ok({
    ...(output.value === undefined ? {} : { output: output.value }),
    ...(flags['quiet'] === true ? { quiet: true } : {}),
    ...(flags['verbose'] === true ? { verbose: true } : {}),
    ...(stream === undefined ? {} : { streamAgentOutput: stream }),
    ...(flags['emoji'] === false ? { emoji: false } : {}),
  })
}
