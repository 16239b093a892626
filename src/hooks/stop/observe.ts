import type { Observation, PathChange } from '../../model/observation.ts'
import { errnoOf } from '../../store/attempt.ts'
import { lookAt } from '../../store/look-at.ts'
import { readBriefly } from '../../store/read-briefly.ts'
import { isRunnersOwn } from '../../tasks/judge-changes.ts'
import type { Marker } from '../../tasks/marker.ts'
import { isSteeringPath } from '../../model/steering-paths.ts'
import type { AskGit } from '../loop/git-in.ts'
import { parseNameStatus, pathChange, type Status } from './parse-status.ts'
import { sha256 } from './sha256.ts'

/** Files in number are compared only for so long; the runner compares them all. */
const maxCompareMs = 5000

/** The project as far as a hook can see it in a moment; without a status, as far as files alone tell. */
export function observe(loop: string, marker: Partial<Marker>, status: Status | null, git: AskGit): Observation {
  const tasks = readBriefly(loop, `${marker.ralphDir ?? 'ralph'}/tasks.json`)
  const isOthers = othersIn(marker.leaveOut ?? [])
  const uncommitted = (status?.changes ?? []).filter(({ path }) => !isOthers(path))
  const changes = new Map([...committed(marker, status, git), ...uncommitted].map((change) => [change.path, change]))
  const since = lookAt(`${loop}/.ralph-active`)?.mtimeMs ?? 0
  const until = Date.now() + maxCompareMs
  for (const [path, hash] of Object.entries(marker.hashes ?? {})) {
    if (isOthers(path) || Date.now() > until) continue
    const change = compare(loop, path, { hash, since })
    if (change === null) changes.delete(path)
    else changes.set(path, change)
  }
  return {
    tasks,
    changes: [...changes.values()],
    ...(status === null ? {} : { uncommitted: uncommitted.map(({ path }) => path) }),
    ...(status === null || status.head === null ? {} : { branch: status.branch }),
  }
}

/** The runner's own files, what was dirty before the run, what checks make; but no check makes what steers an agent. */
function othersIn(leaveOut: readonly string[]): (path: string) => boolean {
  const paths = new Set(leaveOut)
  const directories = leaveOut.filter((name) => name.endsWith('/'))
  return (path) =>
    isRunnersOwn(path) ||
    paths.has(path) ||
    (directories.some((directory) => path.startsWith(directory)) && !isSteeringPath(path))
}

/** A reviewer has nothing to commit but its verdict; what authors commit is for the runner to compare. */
function committed({ base, iterationMode }: Partial<Marker>, status: Status | null, git: AskGit): PathChange[] {
  if (iterationMode !== 'review' || base === undefined) return []
  if (status === null || status.head === null || status.head === base) return []
  return parseNameStatus(git(['diff-tree', '-r', '-z', '--name-status', '--no-renames', base, status.head]) ?? '')
}

/** What became of a file of people's, or null. Nobody can set the time of its last change, so an old file is not read. */
function compare(loop: string, path: string, as: { readonly hash: string; readonly since: number }): PathChange | null {
  try {
    const seen = lookAt(`${loop}/${path}`)
    if (seen === null) return pathChange(path, 'D')
    if (seen.isFile() && seen.ctimeMs < as.since) return null
  } catch (error) {
    errnoOf(error)
  }
  const file = readBriefly(loop, path)
  return file.kind === 'text' && sha256(file.text) === as.hash ? null : pathChange(path, 'M')
}
