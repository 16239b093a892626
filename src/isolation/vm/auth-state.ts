import {
  constants,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../base/result.ts'
import type { Failure } from '../../model/failure.ts'
import type { Site } from '../isolation.ts'
import { authDirectory } from './workspaces.ts'

const credentials = '.credentials.json'
const maxCredentialsBytes = 1024 * 1024

/**
 * The directory that agents of this project have as `~/.claude` in every box of it: made new with nothing in it but the login, the
 * user's or the one that was renewed in a box since, whichever is newer. Nothing that an agent left there reaches the next one.
 */
export function prepareAuth(site: Site): Result<void, Failure> {
  const directory = authDirectory(site)
  const inside = join(directory, '.claude')
  try {
    const users = site.env['CLAUDE_CONFIG_DIR'] ?? join(site.home, '.claude')
    const known = [...(isLink(inside) ? [] : readLogin(inside)), ...readLogin(users)]
    const [newest] = known.toSorted((a, b) => b.writtenMs - a.writtenMs)
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    // An empty file is no JSON, and claude says so.
    writeFileSync(join(directory, '.claude.json'), '{}\n', { mode: 0o600 })
    if (newest !== undefined) writeFileSync(join(inside, credentials), newest.bytes, { mode: 0o600, flag: 'wx' })
    return ok(undefined)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return err({ reason: 'storage', doing: 'make', path: directory, code: String(error.code) })
  }
}

interface Login {
  readonly bytes: Buffer
  readonly writtenMs: number
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** Only a file of its own: an agent may have made a link of it. */
function readLogin(directory: string): Login[] {
  try {
    const file = openSync(
      join(directory, credentials),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      const seen = fstatSync(file)
      const isPlain = seen.isFile() && seen.size <= maxCredentialsBytes
      return isPlain ? [{ bytes: readFileSync(file), writtenMs: seen.mtimeMs }] : []
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return []
  }
}
