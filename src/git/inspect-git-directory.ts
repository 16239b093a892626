import { visibleLine } from '../base/visible.ts'
import type { Baseline } from './baseline.ts'
import { lookAt, readRegular } from './disk.ts'
import { isGoodFaith } from './good-faith.ts'
import { collectGuarded, isTooLargeToKeep, maxGuardedFiles, type GuardedFile } from './guarded-files.ts'
import { findLayout } from './git-layout.ts'
import { walkObjects, walkSkeleton, type OddEntry, type OrderlyDirectories } from './skeleton.ts'

/** One thing in `.git` that is not as it was, or that must not be there. */
export interface GitFinding {
  /** For people and for the journal: one line, with the path as on disk. */
  readonly line: string
  readonly path: string
  /** Installed by husky, pre-commit, git-lfs and their like: put back as well, but no error of the agent. */
  readonly goodFaith: boolean
  /** What putting it back means. */
  readonly repair: Repair
}

export type Repair =
  /** Written again as it was at the start. */
  | { readonly kind: 'write'; readonly file: GuardedFile }
  | { readonly kind: 'remove' }
  /** Rewritten without the lines that name these refs. */
  | { readonly kind: 'unpack-refs'; readonly refs: readonly string[] }
  /** HEAD was not a file: back on the branch of the start. */
  | { readonly kind: 'head' }

export interface Inspection {
  readonly findings: readonly GitFinding[]
  readonly locks: readonly { readonly path: string; readonly changedMs: number }[]
  /** Why nothing may read or write this repository any more; then there is nothing to put back. */
  readonly unsafe: string | null
}

const maxPackedBytes = 256 * 1024 * 1024

/** Looks at `.git` by lstat alone, before any git does. Everything found can be put back, or the whole is unsafe. */
export function inspectGitDirectory(baseline: Baseline): Inspection {
  const { layout } = baseline
  const gone = (unsafe: string): Inspection => ({ findings: [], locks: [], unsafe })
  const dotGit = `${baseline.project}/.git`
  const seen = lookAt(dotGit)
  const findings: GitFinding[] = []
  if (layout.kind === 'directory') {
    if (seen === null) return gone('.git was removed')
    if (!seen.isDirectory()) return gone('.git is no longer a directory')
  } else if (findLayout(baseline.project)?.gitfile !== layout.gitfile) {
    if (seen?.isDirectory() === true) return gone('.git was a file and is a directory now')
    const content = layout.gitfile
    const file: GuardedFile = { path: dotGit, kind: 'file', mode: 0o644, content, size: content.length }
    findings.push(finding(dotGit, 'no longer names the same repository', { kind: 'write', file }))
  }
  for (const directory of [
    layout.gitDir,
    layout.commonDir,
    `${layout.commonDir}/objects`,
    `${layout.commonDir}/refs`,
  ]) {
    if (lookAt(directory)?.isDirectory() !== true) return gone(`${directory} is no longer a directory`)
  }

  const skeleton = walkSkeleton(layout)
  if (skeleton.tooLarge) return gone('it has more entries than can be looked at')
  const known = new Set(baseline.odd.map(keyOf))
  const odd = skeleton.odd.filter((entry) => !known.has(keyOf(entry)))
  const foreign = odd.find(
    ({ path }) => path.startsWith(`${layout.commonDir}/objects/`) || path.endsWith('/packed-refs'),
  )
  if (foreign !== undefined) return gone(`${foreign.path} is a link to somewhere else`)

  const now = collectGuarded(layout)
  if (now.size > maxGuardedFiles) return gone('it has more hooks and settings than can be looked at')
  const then = new Map(baseline.guarded.map((file) => [file.path, file]))
  const lost = baseline.guarded.find((file) => isTooLargeToKeep(file) && !sameFile(file, now.get(file.path)))
  if (lost !== undefined) return gone(`${lost.path} was changed, and is too large to be put back`)
  findings.push(...compareGuarded(then, now), ...oddFindings(odd, now, `${layout.gitDir}/HEAD`))
  if (lookAt(`${layout.gitDir}/HEAD`) === null)
    findings.push(finding(`${layout.gitDir}/HEAD`, 'is gone', { kind: 'head' }))
  findings.push(...packedReplacements(`${layout.commonDir}/packed-refs`))
  return { findings: relativeTo(baseline.project, findings), locks: skeleton.locks, unsafe: null }
}

/** Lines speak of `.git/config`, not of this machine. */
function relativeTo(project: string, findings: readonly GitFinding[]): GitFinding[] {
  const prefix = `${visibleLine(project, 400)}/`
  return findings.map(({ line, path, goodFaith, repair }) => ({
    line: line.replace(prefix, ''),
    path,
    goodFaith,
    repair,
  }))
}

/** Why nobody may read the objects of this repository, or null: one of them is a link to another repository's. */
export function inspectObjects(baseline: Baseline, orderly: OrderlyDirectories): string | null {
  const objects = walkObjects(baseline.layout, orderly)
  if (objects.tooLarge) return 'it has more objects than can be looked at'
  const known = new Set(baseline.odd.map(keyOf))
  const foreign = objects.odd.find((entry) => !known.has(keyOf(entry)))
  return foreign === undefined ? null : `${foreign.path} is a link to somewhere else`
}

function compareGuarded(then: Map<string, GuardedFile>, now: Map<string, GuardedFile>): GitFinding[] {
  const findings: GitFinding[] = []
  for (const [path, file] of now) {
    const before = then.get(path)
    const repair: Repair = before === undefined ? { kind: 'remove' } : { kind: 'write', file: before }
    if (before !== undefined && sameFile(before, file)) continue
    const goodFaith = isGoodFaith(before ?? null, file)
    findings.push(finding(path, before === undefined ? 'was added' : 'was changed', repair, goodFaith))
  }
  for (const [path, file] of then) {
    if (!now.has(path)) findings.push(finding(path, 'was removed', { kind: 'write', file }, isGoodFaith(file, null)))
  }
  return findings
}

function oddFindings(odd: readonly OddEntry[], guarded: Map<string, GuardedFile>, head: string): GitFinding[] {
  // What is guarded has been compared already.
  return odd
    .filter(({ path }) => !guarded.has(path))
    .map(({ path, kind, target }) => {
      const what = {
        link: `is a link to ${target}`,
        'hard-link': 'is a second name of another file',
        special: 'is not a file',
      }
      return finding(path, what[kind], path === head ? { kind: 'head' } : { kind: 'remove' })
    })
}

/** Replacements make git show another object than the one named; loose ones are guarded files. */
function packedReplacements(path: string): GitFinding[] {
  const packed = readRegular(path, maxPackedBytes)
  if (packed === null || !packed.includes(' refs/replace/')) return []
  const refs = packed
    .toString('latin1')
    .split('\n')
    .flatMap((line) => /^[0-9a-f]+ (refs\/replace\/.+)$/.exec(line)?.[1] ?? [])
  return refs.length === 0 ? [] : [finding(path, 'names replacements of objects', { kind: 'unpack-refs', refs })]
}

const sameFile = (a: GuardedFile, b: GuardedFile | undefined): boolean =>
  a.kind === b?.kind && a.content === b.content && a.size === b.size && a.mode === b.mode

const keyOf = ({ path, kind, target }: OddEntry): string => JSON.stringify([path, kind, target])

const finding = (path: string, what: string, repair: Repair, goodFaith = false): GitFinding => ({
  line: visibleLine(`${path} ${what}`, 400),
  path,
  goodFaith,
  repair,
})
