import type { Ran } from '../../shell/trace.ts'

/** What a command sets for itself or for what follows: in front of it, by `export` and its like, by `env`. */
export function assignmentsOf({ name, args, environment }: Ran): readonly (readonly [name: string, value: string])[] {
  const found: [string, string][] = []
  for (const [variable, values] of environment) for (const value of values) found.push([variable, value])
  if (!setters.has(name)) return found
  for (const [index, arg] of args.entries()) {
    const end = arg.indexOf('=')
    if (end > 0 && !arg.startsWith('-')) found.push([arg.slice(0, end), arg.slice(end + 1)])
    // `setenv NAME VALUE`, `set -gx NAME VALUE`
    else if ((name === 'setenv' || name === 'set') && index + 2 === args.length)
      found.push([arg, args[index + 1] ?? ''])
    else if (name === 'env' && end === -1 && !arg.startsWith('-')) break
  }
  return found
}

export const setters: ReadonlySet<string> = new Set([
  'export',
  'declare',
  'typeset',
  'local',
  'readonly',
  'env',
  'setenv',
  'set',
])
