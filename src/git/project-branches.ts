import { visibleLine } from '../base/visible.ts'
import { readRegular } from './disk.ts'
import type { GitLayout } from './git-layout.ts'
import { namesIn } from './guarded-files.ts'
import { isSafeRef, readRef } from './project-refs.ts'

/** Branches by name, with their commits. */
export type Branches = readonly (readonly [name: string, commit: string])[]

/** More are not told apart; it is a note for people and no rule. */
const maxBranches = 10_000
const maxPackedBytes = 256 * 1024 * 1024
const prefix = 'refs/heads/'

/** All local branches, read from the files themselves: the agent's git is not asked. */
export function readBranches(layout: GitLayout): Branches {
  const branches = new Map<string, string>()
  const packed = readRegular(`${layout.commonDir}/packed-refs`, maxPackedBytes)?.toString('utf8') ?? ''
  for (const [, commit = '', name = ''] of packed.matchAll(/^([0-9a-f]{40,64}) refs\/heads\/(.+)$/gm)) {
    if (branches.size < maxBranches) branches.set(name, commit)
  }
  const walk = (directory: string, depth: number): void => {
    for (const entry of depth > 16 ? [] : namesIn(`${layout.commonDir}/${prefix}${directory}`)) {
      const name = `${directory}${entry.name}`
      if (entry.isDirectory()) walk(`${name}/`, depth + 1)
      else if (branches.size < maxBranches && isSafeRef(`${prefix}${name}`)) {
        const commit = readRef(layout, `${prefix}${name}`)
        if (commit !== null) branches.set(name, commit)
      }
    }
  }
  walk('', 0)
  return [...branches]
}

/** What became of branches that were there before, in words; `own` is the loop's, which has rules of its own. */
export function movedBranches(before: Branches, now: Branches, own: string): string[] {
  const commits = new Map(now)
  return before.flatMap(([name, commit]) => {
    const current = commits.get(name)
    if (name === own || current === commit) return []
    const what = current === undefined ? 'was deleted' : `was moved to ${current.slice(0, 12)}`
    return [`${visibleLine(name)} ${what}; it was at ${commit.slice(0, 12)}`]
  })
}
