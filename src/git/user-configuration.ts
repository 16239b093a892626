import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { defaultProgramTimeoutMs } from '../process/program-result.ts'
import { runProgram } from '../process/run-program.ts'
import { gitFailure } from './git-failure.ts'
import { splitFields } from './git-path.ts'

/** One setting of git, in the order in which they apply; keys are lower case but for the middle part. */
export interface ConfigEntry {
  readonly scope: string
  readonly key: string
  readonly value: string
}

/** What the referee takes over from the user when the run starts; an agent's later settings never reach it. */
export interface UserConfiguration {
  /** `filter.*` of the system's and the user's own configuration, so that git-lfs works; never the repository's. */
  readonly filters: readonly ConfigEntry[]
  /** How files are turned into blobs: line ends, modes, links. None of these can run anything. */
  readonly conversion: readonly ConfigEntry[]
  /** Filters that only the repository's own configuration knows. */
  readonly localFilters: readonly string[]
  readonly objectFormat: 'sha1' | 'sha256'
  readonly sparse: boolean
  readonly refStorage: string
  /** Where a push of this branch goes, or null if there is no remote. */
  readonly remote: { readonly name: string; readonly url: string } | null
  /** The user's global ignore and attribute files, as base64. */
  readonly excludes: string
  readonly attributes: string
}

const conversionKeys = new Set(
  ['autocrlf', 'eol', 'filemode', 'symlinks', 'ignorecase', 'precomposeunicode', 'checkroundtripencoding'].map(
    (name) => `core.${name}`,
  ),
)

export type UserGit = (args: readonly string[], answers?: readonly number[]) => Promise<Result<Buffer, Failure>>

export interface UserGitOptions {
  /** `key=value`, for this call only. */
  readonly settings?: readonly string[]
  readonly timeoutMs?: number
}

/** git as the user would call it in the project: only before the first agent has run. */
export function userGit(
  git: string,
  project: string,
  env: Readonly<Record<string, string>>,
  { settings = [], timeoutMs = defaultProgramTimeoutMs }: UserGitOptions = {},
): UserGit {
  return async (args, answers = [0]) => {
    const options = settings.flatMap((setting) => ['-c', setting])
    const outcome = await runProgram({ program: git, args: [...options, ...args], cwd: project, env, timeoutMs })
    if (!outcome.ok) return outcome
    const { end, exitCode, stdout, stderrTail } = outcome.value
    if (end === 'exited' && exitCode !== null && answers.includes(exitCode)) return ok(stdout)
    return err(gitFailure({ doing: `run "git ${args[0] ?? ''}"`, exitCode, stderr: stderrTail.trim() }, project))
  }
}

export function parseConfig(output: Buffer): ConfigEntry[] {
  const fields = splitFields(output).map((field) => field.toString('utf8'))
  const entries: ConfigEntry[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const text = fields[at + 1] ?? ''
    const end = text.indexOf('\n')
    // A key without `=` means true.
    const [key, value] = end === -1 ? [text, 'true'] : [text.slice(0, end), text.slice(end + 1)]
    entries.push({ scope: fields[at] ?? '', key, value })
  }
  return entries
}

/** Everything but the files and the remote, which cost further calls. */
export function selectConfiguration(
  entries: readonly ConfigEntry[],
): Omit<UserConfiguration, 'remote' | 'excludes' | 'attributes'> {
  const isUsers = (entry: ConfigEntry): boolean => entry.scope === 'global' || entry.scope === 'system'
  const isFilter = (entry: ConfigEntry): boolean => /^filter\..+\.(?:clean|smudge|process|required)$/.test(entry.key)
  const filters = entries.filter((entry) => isUsers(entry) && isFilter(entry))
  const known = new Set(filters.map((entry) => filterName(entry.key)))
  const local = entries.filter((entry) => !isUsers(entry) && isFilter(entry)).map((entry) => filterName(entry.key))
  const last = (key: string): string => entries.findLast((entry) => entry.key === key)?.value ?? ''
  return {
    filters,
    conversion: entries.filter((entry) => conversionKeys.has(entry.key)),
    localFilters: [...new Set(local)].filter((name) => !known.has(name)),
    objectFormat: last('extensions.objectformat').toLowerCase() === 'sha256' ? 'sha256' : 'sha1',
    sparse: /^(?:true|yes|on|1)$/i.test(last('core.sparsecheckout')),
    refStorage: last('extensions.refstorage') || 'files',
  }
}

/** The remote that a push of this branch would take. */
export function pushRemote(entries: readonly ConfigEntry[], branch: string): string | null {
  const last = (key: string): string | null => entries.findLast((entry) => entry.key === key)?.value ?? null
  const names = new Set(entries.map((entry) => /^remote\.(.+)\.url$/.exec(entry.key)?.[1] ?? ''))
  names.delete('')
  const wanted = [
    last(`branch.${branch}.pushremote`),
    last('remote.pushdefault'),
    last(`branch.${branch}.remote`),
    'origin',
    names.size === 1 ? ([...names][0] ?? null) : null,
  ]
  return wanted.find((name) => name !== null && names.has(name)) ?? null
}

const filterName = (key: string): string => key.slice('filter.'.length, key.lastIndexOf('.'))
