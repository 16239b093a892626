import { err, ok, type Result } from '../base/result.ts'
import { visible } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { bounds } from '../settings/bounds.ts'
import { defaults } from '../settings/defaults.ts'
import { parseAgent, parseCount, parseModel, type ParseValue } from '../settings/parse-value.ts'
import { readSmall } from '../store/read-small.ts'
import { writeInside } from '../store/write-inside.ts'
import type { Ask, ExitCode, Output } from './command.ts'

export const settingsPath = '.ralph/settings.json'

/** Asks for the settings that most projects want, and writes them. 130 if the person went away: then nothing is written. */
export async function askSettings(root: string, ask: Ask, output: Output): Promise<Result<ExitCode, Failure>> {
  const seen = readSmall(root, settingsPath)
  if (seen.kind === 'unreadable') return err({ reason: 'unsafe-file', path: settingsPath, why: seen.why })
  if (seen.kind === 'text') {
    output.line(visible(seen.text.trimEnd()))
    const answer = await ask(`${settingsPath} is there. Replace it? (y/N)`)
    if (answer === null) return ok(130)
    if (!/^y(?:es)?$/i.test(answer)) {
      output.line(`Kept what was there: ${settingsPath}.`)
      return ok(0)
    }
  }
  const settings = await askAll(ask, output)
  if (settings === null) return ok(130)
  const written = writeInside(root, settingsPath, Buffer.from(`${JSON.stringify(settings, null, 2)}\n`))
  if (!written.ok) return written
  output.line(`${seen.kind === 'text' ? 'Replaced' : 'Created'} ${settingsPath}.`)
  return ok(0)
}

async function askAll(ask: Ask, output: Output): Promise<object | null> {
  const agent = await askFor('Which agent?', defaults.agents.implement.name, parseAgent, { ask, output })
  if (agent === null) return null
  // A custom agent is nothing without its program.
  const command = agent === 'custom' ? await askFor('Which program is it?', null, parseProgram, { ask, output }) : ''
  if (command === null) return null
  const model = await askFor('Which model? (empty: what the agent takes by itself)', '', parseOptionalModel, {
    ask,
    output,
  })
  if (model === null) return null
  const iterations = String(defaults.maxIterations)
  const maxIterations = await askFor('At most how many iterations?', iterations, parseCount(bounds.maxIterations), {
    ask,
    output,
  })
  if (maxIterations === null) return null
  const checks: { command: string }[] = []
  for (;;) {
    const check = await ask('A command that must pass, like "npm test"? (empty: no more)')
    if (check === null) return null
    if (check === '') break
    checks.push({ command: check })
  }
  return {
    agent: { name: agent, ...(command === '' ? {} : { command }), ...(model === '' ? {} : { model }) },
    maxIterations,
    ...(checks.length === 0 ? {} : { checks }),
  }
}

const parseOptionalModel: ParseValue<string> = (text) => (text === '' ? ok(text) : parseModel(text))

const parseProgram: ParseValue<string> = (text) =>
  text.startsWith('/') || (text !== '' && !/[\s/]/.test(text))
    ? ok(text)
    : err('must be an absolute path or a name on PATH')

/** Asks until the answer can be used; an empty one is the default. null when nobody answers any more. */
async function askFor<T>(
  question: string,
  otherwise: string | null,
  parse: ParseValue<T>,
  { ask, output }: { readonly ask: Ask; readonly output: Output },
): Promise<T | null> {
  const shown = otherwise === null || otherwise === '' ? question : `${question} [${otherwise}]`
  for (;;) {
    const answer = await ask(shown)
    if (answer === null) return null
    const parsed = parse(answer === '' && otherwise !== null ? otherwise : answer)
    if (parsed.ok) return parsed.value
    output.remark(`It ${parsed.error}.`)
  }
}
