import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { optionValues } from './option-values.ts'
import type { Overrides } from './overrides.ts'
import { parseCommand } from './parse-value.ts'

/** The options of a command line by their camel-case names; what was not given is undefined, false or an empty list. */
export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

const help = 'Run "ralph run --help" for what it takes.'

/** What the flags say, and nothing that they do not say. */
export function overridesFromFlags(flags: Flags): Result<Overrides, Failure> {
  const conflict = findConflict(flags)
  if (conflict !== null) return err({ reason: 'usage', ...conflict })
  const overrides: Overrides = switches(flags)
  for (const { option, read } of optionValues) {
    const text = flags[keyOf(option)]
    if (typeof text !== 'string') continue
    const value = read(text)
    if (!value.ok) return refuse(option, value.error, text)
    Object.assign(overrides, value.value)
  }
  const checks = listOf(flags['check'])
  for (const check of checks) {
    const parsed = parseCommand(check)
    if (!parsed.ok) return refuse('--check', parsed.error, check)
  }
  const args = listOf(flags['agentArg'])
  return ok({
    ...overrides,
    ...(checks.length === 0 ? {} : { addChecks: checks }),
    ...(args.length === 0 ? {} : { addArgs: args }),
  })
}

/** `--max-iterations` is `maxIterations`, as the parser of the command line names it. */
const keyOf = (option: string): string =>
  option.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function switches(flags: Flags): Overrides {
  return {
    ...(flags['skipReview'] === true ? { skipReview: true } : {}),
    ...(flags['branch'] === false ? { noBranch: true } : {}),
    ...(flags['allowDirty'] === true ? { allowDirty: true } : {}),
    ...(flags['strict'] === true ? { strict: true } : {}),
    ...(typeof flags['sandbox'] === 'boolean' ? { sandbox: flags['sandbox'] } : {}),
  }
}

function findConflict(flags: Flags): { readonly message: string; readonly fix: string } | null {
  const { model, reviewModel, sandbox, isolation } = flags
  if (typeof model === 'string' && isNumber(model)) {
    return {
      message: `-m is the model, and ${visibleLine(model, 20)} is a number.`,
      fix: `For the number of iterations write: -n ${visibleLine(model, 20)}`,
    }
  }
  if (typeof reviewModel === 'string' && isNumber(reviewModel)) {
    return { message: `--review-model is a model, and ${visibleLine(reviewModel, 20)} is a number.`, fix: help }
  }
  if (sandbox === true && isolation === 'none') {
    return { message: '--sandbox and --isolation none say opposite things.', fix: 'Give one of them.' }
  }
  if (sandbox === false && isolation !== undefined && isolation !== 'none') {
    return { message: '--no-sandbox and --isolation say opposite things.', fix: 'Give one of them.' }
  }
  return null
}

const isNumber = (text: string): boolean => /^[+-]?\d+(?:\.\d+)?$/.test(text.trim())

const listOf = (value: Flags[string]): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : [])

const refuse = (option: string, problem: string, text: string): Result<never, Failure> =>
  err({ reason: 'usage', message: `${option} ${problem}, not "${visibleLine(text, 60)}".`, fix: help })
