import { sep } from 'node:path'
import { builtAgents } from '../agents/registry.ts'
import { userDirectory } from '../agents/user-directory.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { realPath } from '../store/real-path.ts'
import { installationRoot } from './installation.ts'

/**
 * What an agent may write must not hold what decides about it: this very program, or an agent's own configuration. The state
 * directory and the home of the user are looked at wherever a project is opened.
 */
export function refuseUnsafeProject(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Result<void, Failure> {
  const places: readonly (readonly [path: string, what: string])[] = [
    [installationRoot(), 'this installation of Ralph'],
    ...builtAgents.flatMap(({ name, userConfig }) => {
      const path = userConfig === null ? null : userDirectory(userConfig, env)
      return path === null ? [] : [[path, `the configuration of ${name}`] as const]
    }),
  ]
  for (const [path, what] of places) {
    const real = realPath(path)
    if (real !== null && `${real}${sep}`.startsWith(`${root}${sep}`)) {
      return err({ reason: 'unsafe-project', path: root, why: `it contains ${what}, ${path}` })
    }
  }
  return ok(undefined)
}
