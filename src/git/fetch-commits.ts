import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { lookAt, readRegular } from './disk.ts'
import { findLayout } from './git-layout.ts'
import { fileUrl, shellQuote, type Git } from './git.ts'

export interface FetchRequest {
  /** What to take: HEAD, or the full name of a branch. */
  readonly source: string
  /** The commit that this was seen to be. */
  readonly commit: string
  /** Where to keep it; the name of a fetch is never used again, so an old commit cannot pass for a new one. */
  readonly ref: string
  /** The user's own history at the start of a run: old repositories have objects that a strict look refuses. */
  readonly first?: boolean
}

/** The names of half a million fetches. */
const maxPackedRefs = 64 * 1024 * 1024
const firstTimeoutMs = 15 * 60_000

/** Copies the agent's commits; git verifies every object against its name on the way in. */
export async function fetchCommits(
  git: Git,
  place: RefereePlace,
  request: FetchRequest,
): Promise<Result<void, Failure>> {
  const { source, ref, first = false } = request
  // The user's git has worked here, so the owner is one that they trust; git forgets that with their configuration.
  const trusted = [place.project, `${place.project}/.git`, findLayout(place.project)?.gitDir ?? place.project]
  const options = [...new Set(trusted)].map((path) => `-c ${shellQuote(`safe.directory=${path}`)}`)
  const uploadPack = `${shellQuote(place.git)} ${options.join(' ')} upload-pack`
  const fetched = await git({
    doing: 'fetch the commits of the project',
    args: [
      ...(first ? ['-c', 'fetch.fsckObjects=false'] : []),
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      '--no-auto-maintenance',
      ...(first ? ['--update-shallow'] : []),
      `--upload-pack=${uploadPack}`,
      fileUrl(place.project),
      `+${source}:${ref}`,
    ],
    timeoutMs: firstTimeoutMs,
  })
  if (!fetched.ok) return fetched
  // With a planted `shallow` fetch says that all went well and changes nothing.
  if (readOwnRef(place, ref) === request.commit) return ok(undefined)
  return err({
    reason: 'git-failed',
    doing: 'fetch the commits of the project',
    exitCode: 0,
    stderr: `${source} did not arrive as ${request.commit}`,
  })
}

/** A ref of the referee's own that has just been fetched: later it may be packed. */
function readOwnRef(place: RefereePlace, ref: string): string | null {
  return readRegular(`${place.repository}/${ref}`, 4096)?.toString('latin1').trim() ?? null
}

/** `refs/ralph/<run>/<iteration>`, or with a number behind it if that name was used. */
export function freshRef(place: RefereePlace, prefix: string): string {
  const packed = readRegular(`${place.repository}/packed-refs`, maxPackedRefs)?.toString('latin1') ?? ''
  for (let count = 1; ; count++) {
    const ref = count === 1 ? prefix : `${prefix}.${count}`
    if (lookAt(`${place.repository}/${ref}`) === null && !packed.includes(` ${ref}\n`)) return ref
  }
}
