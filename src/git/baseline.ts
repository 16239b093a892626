import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { codeOf, readRegular } from './disk.ts'
import { installedPrograms, type InstalledPrograms } from './installed-programs.ts'
import { collectGuarded, maxGuardedFiles, type GuardedFile } from './guarded-files.ts'
import { readBranches, type Branches } from './project-branches.ts'
import { walkObjects, walkSkeleton, type OddEntry } from './skeleton.ts'
import type { FoundProject } from './ensure-project.ts'

/** What `.git` looked like when the run started; kept in the state directory, so that a resume compares with the same. */
export interface Baseline extends FoundProject {
  readonly version: 1
  readonly project: string
  readonly guarded: readonly GuardedFile[]
  /** Links that the user has there; the same link is no finding later. */
  readonly odd: readonly OddEntry[]
  readonly programs: InstalledPrograms
  readonly branches: Branches
}

const maxBaselineBytes = 512 * 1024 * 1024

export function takeBaseline(project: string, found: FoundProject): Result<Baseline, Failure> {
  const skeleton = walkSkeleton(found.layout)
  const objects = walkObjects(found.layout)
  const guarded = [...collectGuarded(found.layout).values()]
  if (skeleton.tooLarge || objects.tooLarge || guarded.length > maxGuardedFiles) {
    return err({
      reason: 'unsafe-git-directory',
      path: found.layout.gitDir,
      why: 'it has more entries than can be looked at',
      kept: null,
    })
  }
  const { gitDir, commonDir } = found.layout
  const followed = new Set([`${gitDir}/HEAD`, `${gitDir}/index`, `${commonDir}/packed-refs`])
  const link = skeleton.odd.find(({ path }) => followed.has(path))
  if (link !== undefined)
    return err({ reason: 'unsafe-git-directory', path: link.path, why: 'it is a link', kept: null })
  const odd = [...skeleton.odd, ...objects.odd]
  const branches = readBranches(found.layout)
  return ok({ ...found, version: 1, project, guarded, odd, programs: installedPrograms(project), branches })
}

export function saveBaseline(path: string, baseline: Baseline): Result<void, Failure> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, JSON.stringify(baseline), { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path, code: codeOf(error) })
  }
}

/** null if this run has none yet. The state directory is ours, so a file that is there and no baseline is a broken disk. */
export function loadBaseline(path: string): Result<Baseline | null, Failure> {
  const bytes = readRegular(path, maxBaselineBytes)
  if (bytes === null) return ok(null)
  try {
    return ok(JSON.parse(bytes.toString('utf8')) as Baseline)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return err({ reason: 'storage', doing: 'read', path, code: 'EINVAL' })
  }
}
