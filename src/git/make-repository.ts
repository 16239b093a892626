import { mkdirSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Baseline } from './baseline.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf, lookAt, readRegular, removeName } from './disk.ts'
import { replaceFile } from './put-back-git-directory.ts'
import { refereeConfiguration } from './referee-configuration.ts'

/** What decides in `referee.git` about what git does, by path; all of it is written by the runner alone. */
export function repositoryFiles(
  { repository }: RefereePlace,
  baseline: Baseline,
  ignore: readonly string[],
): ReadonlyMap<string, Buffer> {
  const { configuration, layout } = baseline
  const own = Buffer.from(`\n${ignore.map((p) => `/${p}\n`).join('')}`)
  const files: Readonly<Record<string, Buffer>> = {
    config: Buffer.from(refereeConfiguration(configuration, repository, `${layout.commonDir}/lfs`)),
    'info/user-excludes': Buffer.from(configuration.excludes, 'base64'),
    'info/user-attributes': Buffer.from(configuration.attributes, 'base64'),
    'info/attributes': guardedBytes(baseline, 'attributes'),
    'info/exclude': Buffer.concat([guardedBytes(baseline, 'exclude'), own]),
  }
  return new Map(Object.entries(files).map(([name, bytes]) => [`${repository}/${name}`, bytes]))
}

/** Names by which git would read its configuration from elsewhere, or run something; the referee's has none of them. */
export const strangeNames = ['commondir', 'config.worktree', 'hooks', 'info/grafts'] as const

/**
 * Makes `referee.git`, or takes up the one that is there: by hand, because `git init` would copy the user's templates.
 * The configuration is written at every start, so that it is always that of this run's baseline.
 */
export function makeRepository(
  place: RefereePlace,
  baseline: Baseline,
  ignore: readonly string[],
): Result<void, Failure> {
  const { repository } = place
  try {
    for (const directory of ['objects/info', 'objects/pack', 'refs/heads', 'refs/ralph', 'info']) {
      mkdirSync(`${repository}/${directory}`, { recursive: true, mode: 0o700 })
    }
    mkdirSync(`${place.stateDir}/empty-home`, { recursive: true, mode: 0o700 })
    for (const name of strangeNames) removeName(`${repository}/${name}`)
    for (const [path, bytes] of repositoryFiles(place, baseline, ignore)) {
      // A killed runner may have left a draft beside it; the name itself is always whole.
      replaceFile(path, bytes, 0o600)
    }
    if (lookAt(`${repository}/HEAD`) === null)
      writeFileSync(`${repository}/HEAD`, 'ref: refs/heads/none\n', { mode: 0o600 })
    // The lock protocol of the state directory keeps a second runner out, so these are leftovers.
    removeName(place.scratch)
    mkdirSync(place.scratch, { mode: 0o700 })
    removeName(`${place.index}.lock`)
    removeName(`${repository}/HEAD.lock`)
    removeName(`${repository}/shallow.lock`)
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'make', path: repository, code: codeOf(error) })
  }
}

/** The commit that status compares with. */
export function pointHeadAt(place: RefereePlace, commit: string): void {
  const path = `${place.repository}/HEAD`
  if (readRegular(path, 4096)?.toString('latin1').trim() !== commit)
    replaceFile(path, Buffer.from(`${commit}\n`), 0o600)
}

/** `info/exclude` and `info/attributes` of the user, as they were at the start. */
function guardedBytes(baseline: Baseline, name: string): Buffer {
  const path = `${baseline.layout.commonDir}/info/${name}`
  const file = baseline.guarded.find((guarded) => guarded.path === path && guarded.kind === 'file')
  return Buffer.from(file?.content ?? '', 'base64')
}
