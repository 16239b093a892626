import { decodePath, splitFields } from './git-path.ts'

/** The work tree beside the referee's index and the last commit, as `status` says it. */
export interface Status {
  /** Paths whose index entry differs from disk, or that are committed and not in the index. */
  readonly stale: readonly string[]
  /** In the index and not in the commit. */
  readonly notInCommit: readonly string[]
  readonly untracked: readonly string[]
  /** Directories that have a repository of their own and no entry in ours. */
  readonly nested: readonly string[]
  /** Ignored files, and ignored directories with a slash behind them. */
  readonly ignored: readonly string[]
  /** Commit, index and disk are the same. */
  readonly clean: boolean
}

/** `--porcelain=v1 -z --no-renames`: two letters (commit to index, index to disk), a space, the path. */
export function parseStatus(output: Buffer): Status {
  const stale: string[] = []
  const notInCommit: string[] = []
  const untracked: string[] = []
  const nested: string[] = []
  const ignored: string[] = []
  let clean = true
  for (const field of splitFields(output)) {
    const letters = field.subarray(0, 2).toString('latin1')
    const path = decodePath(field.subarray(3))
    if (letters === '!!') {
      ignored.push(path)
      continue
    }
    clean = false
    if (letters === '??') {
      if (path.endsWith('/')) nested.push(path.slice(0, -1))
      else untracked.push(path)
      continue
    }
    if (letters[0] === 'A') notInCommit.push(path)
    if (letters[1] !== ' ' || letters[0] === 'D') stale.push(path)
  }
  return { stale, notInCommit, untracked, nested, ignored, clean }
}
