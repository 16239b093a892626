import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { errnoOf } from '../store/attempt.ts'
import { installationRoot } from './installation.ts'

/**
 * What an agent may write must not hold what decides about it: this very program, or an agent's own configuration. The state
 * directory and the home of the user are looked at wherever a project is opened.
 */
export function refuseUnsafeProject(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Result<void, Failure> {
  const home = env['HOME'] ?? ''
  const places: readonly (readonly [path: string, what: string])[] = [
    [installationRoot(), 'this installation of Ralph'],
    [env['CLAUDE_CONFIG_DIR'] ?? (home === '' ? '' : join(home, '.claude')), 'the configuration of Claude Code'],
    [env['CODEX_HOME'] ?? (home === '' ? '' : join(home, '.codex')), 'the configuration of codex'],
  ]
  for (const [path, what] of places) {
    const real = path === '' ? null : realPath(path)
    if (real !== null && `${real}${sep}`.startsWith(`${root}${sep}`)) {
      return err({ reason: 'unsafe-project', path: root, why: `it contains ${what}, ${path}` })
    }
  }
  return ok(undefined)
}

/** null: there is none. */
function realPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    errnoOf(error)
    return null
  }
}
