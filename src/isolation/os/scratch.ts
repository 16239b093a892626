import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import type { Failure } from '../../model/failure.ts'

/** Caches that tools keep in the user's home, where nothing can be written: without another place some of them fail. */
const caches = {
  XDG_CACHE_HOME: 'cache',
  npm_config_cache: 'npm',
  GOCACHE: 'go-build',
  GOMODCACHE: 'go-mod',
  CARGO_HOME: 'cargo',
  GRADLE_USER_HOME: 'gradle',
}

/** By which programs are told of a directory for temporary files; one that the user has set could not be written. */
const temporary = ['TMPDIR', 'TMP', 'TEMP', 'CLAUDE_CODE_TMPDIR', 'CLAUDE_TMPDIR']

/** For temporary files and caches of what runs in a box. */
export const scratchVariables = (scratch: string): Record<string, string> => ({
  ...Object.fromEntries(temporary.map((name) => [name, scratch])),
  ...Object.fromEntries(Object.entries(caches).map(([name, directory]) => [name, join(scratch, directory)])),
})

/** For an agent that is to find nothing of an earlier one's. */
export function emptyScratch(scratch: string): Result<void, Failure> {
  try {
    mkdirSync(scratch, { recursive: true })
    for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { recursive: true, force: true })
    return ok(undefined)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error
    return err({ reason: 'storage', doing: 'empty', path: scratch, code: error.code })
  }
}
