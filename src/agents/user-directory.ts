import { join } from 'node:path'
import type { UserConfig } from './agent.ts'

/** The user's own directory of an agent, whether or not it is there; null if nobody can say where it would be. */
export function userDirectory(
  { variable, directory }: UserConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const named = variable === null ? undefined : env[variable]
  if (named !== undefined && named !== '') return named
  const home = env['HOME']
  return home === undefined || home === '' ? null : join(home, directory)
}
