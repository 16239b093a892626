import * as z from 'zod/mini'
import { findRepeatedKey, isObject, parseJson } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { settingsSchema, type Settings } from './settings-schema.ts'

/** A settings file as it was found. */
export interface SettingsFile {
  /** For people: as they would write it. */
  readonly path: string
  readonly text: string
}

/** The file as settings, or everything that is wrong with it at once. No file is no settings. */
export function readSettings(file: SettingsFile | null): Result<Settings, Failure> {
  if (file === null) return ok({})
  const invalid = (problems: readonly string[]) =>
    // A value can break two rules that are told in the same words.
    err({ reason: 'invalid-settings', path: file.path, problems: [...new Set(problems)] } as const)
  const json = parseJson(file.text)
  if (!json.ok) return invalid([`${json.error.charAt(0).toUpperCase()}${json.error.slice(1)}.`])
  const repeated = findRepeatedKey(file.text)
  const parsed = z.safeParse(settingsSchema, json.value)
  const problems = [
    ...(repeated === null
      ? []
      : [`Line ${repeated.line}: the key ${visibleLine(JSON.stringify(repeated.key), 80)} stands twice. Keep one.`]),
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, json.value)),
    ...(isObject(json.value) ? twiceSaid(json.value) : []),
  ]
  if (!parsed.success || problems.length > 0) return invalid(problems)
  const { $schema: _, maximumIterations, guardrails, ...rest } = parsed.data
  return ok({
    ...rest,
    ...(maximumIterations === undefined ? {} : { maxIterations: maximumIterations }),
    ...(guardrails === undefined ? {} : { checks: guardrails }),
  })
}

const aliases = { maximumIterations: 'maxIterations', guardrails: 'checks' } as const

function twiceSaid(json: object): string[] {
  return Object.entries(aliases)
    .filter(([alias, name]) => Object.hasOwn(json, alias) && Object.hasOwn(json, name))
    .map(([alias, name]) => `${alias} and ${name} are one setting. Keep one.`)
}

/** `checks[0].timeout must be a duration: …, not "soon".`; a line for each unknown key. */
function describeIssue(issue: z.core.$ZodIssue, root: unknown): string[] {
  const path = issue.path.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${String(key)}`),
    '',
  )
  if (issue.code === 'unrecognized_keys') {
    return issue.message.split('\n').map((line) => `${path === '' ? '' : `${path}.`}${line}.`)
  }
  const value = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], root)
  if (value === undefined) return [`${path} is missing (${issue.message}).`]
  const name = path === '' ? 'The file' : path
  return [`${name} ${issue.message}, not ${visibleLine(JSON.stringify(value), 60)}.`]
}
