import { parseDuration } from '../base/duration.ts'
import { isId } from '../base/ids.ts'
import { nearest } from '../base/nearest.ts'
import { err, ok, type Result } from '../base/result.ts'
import { agentNames, isAgentName, type AgentName } from './agent-names.ts'
import { isWithin, type Bounds } from './bounds.ts'

/** A value from a command line or the environment; the error is a phrase that goes on after its name: `must be …`. */
export type ParseValue<T> = (text: string) => Result<T, string>

/** The phrases are those of the settings file too. */
export const wording = {
  count: ([min, max]: Bounds): string => `must be a whole number from ${min} to ${max}`,
  amount: ([min, max]: Bounds): string => `must be an amount in US dollars from ${min} to ${max}`,
  duration: ([min]: Bounds): string =>
    `must be a duration: 90 (seconds), 90s, 10m or 2h, ${min === 0 ? '' : 'above 0 and '}at most 576h`,
  line: 'must be a text of one line, 1 to 200 characters without < and >',
  model: 'must be the name of a model: one word that does not begin with a hyphen',
  oneOf: (values: readonly string[]): string => `must be one of ${values.join(', ')}`,
}

export const parseCount =
  (bounds: Bounds): ParseValue<number> =>
  (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return isWithin(value, bounds) ? ok(value) : err(wording.count(bounds))
  }

export const parseAmount =
  (bounds: Bounds): ParseValue<number> =>
  (text) => {
    const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
    return isWithin(value, bounds) ? ok(value) : err(wording.amount(bounds))
  }

export const parseTime =
  (bounds: Bounds): ParseValue<number> =>
  (text) => {
    const duration = parseDuration(text)
    return duration.ok && isWithin(duration.value, bounds) ? duration : err(wording.duration(bounds))
  }

export const parseOneOf =
  <T extends string>(values: readonly T[]): ParseValue<T> =>
  (text) => {
    const found = values.find((value) => value === text)
    return found === undefined ? err(wording.oneOf(values)) : ok(found)
  }

export const parseAgent: ParseValue<AgentName> = (text) =>
  isAgentName(text)
    ? ok(text)
    : err(`must be one of ${agentNames.join(', ')} (the nearest is "${nearest(text, agentNames) ?? ''}")`)

/** A tag is looked for in what the agent wrote, so it must fit between `<promise>` and `</promise>`. */
export const isLine = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what it refuses
  text.trim() !== '' && text.length <= 200 && !/[<>\0-\x1f\x7f]/.test(text)

export const parseLine: ParseValue<string> = (text) => (isLine(text) ? ok(text) : err(wording.line))

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
export const isModel = (text: string): boolean => /^[^-\s\0-\x1f\x7f][^\s\0-\x1f\x7f]{0,199}$/.test(text)

export const parseModel: ParseValue<string> = (text) => (isModel(text) ? ok(text) : err(wording.model))

export const parseStoryId: ParseValue<string> = (text) =>
  isId(text) ? ok(text) : err('must be the id of a story: letters, digits, dots, hyphens and underscores')

/** A command for the shell: anything that says something. */
export const parseCommand: ParseValue<string> = (text) =>
  text.trim() === '' || text.includes('\0') ? err('must be a command') : ok(text)
