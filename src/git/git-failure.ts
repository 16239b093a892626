import type { Failure } from '../model/failure.ts'

/** A git command that failed. Where the disk was the reason, that is what is said: it is no fault of git's or anybody's. */
export function gitFailure(
  { doing, exitCode, stderr }: { readonly doing: string; readonly exitCode: number | null; readonly stderr: string },
  /** What it was writing to. */
  path: string,
): Failure {
  const code = diskWords.find(([words]) => words.test(stderr))?.[1]
  return code === undefined
    ? { reason: 'git-failed', doing, exitCode, stderr }
    : { reason: 'storage', doing: 'write to', path, code }
}

/** git says them in English, since our environments say so, and at the end of a line, where no name of a file stands. */
const diskWords: readonly (readonly [RegExp, string])[] = [
  [/(?:No space left on device|Out of diskspace)$/m, 'ENOSPC'],
  [/Disk quota exceeded$/m, 'EDQUOT'],
  [/Read-only file system$/m, 'EROFS'],
]
