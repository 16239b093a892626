import { secretNames } from './credential-names.ts'
import { matchNames } from './name-patterns.ts'

/** Shorter ones are words that stand everywhere. */
const minLength = 12

const isSecret = matchNames(secretNames)

/** The keys in the user's environment: what must not be found in a log or a prompt. A file that has one is no key. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    isSecret(name) && value !== undefined ? [value.trim()] : [],
  )
  return [...new Set(values)].filter((value) => value.length >= minLength && !/^[/~.]/.test(value))
}
