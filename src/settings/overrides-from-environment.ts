import { err, ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { optionValues } from './option-values.ts'
import type { Overrides } from './overrides.ts'

/** What the user's variables say; an empty one says nothing. */
export function overridesFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Result<Overrides, Failure> {
  const overrides: Overrides = {}
  for (const { variable, read } of optionValues) {
    const text = variable === undefined ? undefined : env[variable]
    if (text === undefined || text === '') continue
    const value = read(text)
    if (!value.ok) {
      return err({
        reason: 'usage',
        message: `The variable ${variable} ${value.error}, not "${visibleLine(text, 60)}".`,
        fix: 'Correct it or unset it.',
      })
    }
    Object.assign(overrides, value.value)
  }
  return ok(overrides)
}
