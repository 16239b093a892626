import type { PathChange } from '../../model/observation.ts'

/** What `git status --porcelain=v2 --branch -z` says. */
export interface Status {
  /** The commit of HEAD; null where there is none yet. */
  readonly head: string | null
  /** Null when detached. */
  readonly branch: string | null
  /** What is neither committed nor ignored, but for repositories inside the repository. */
  readonly changes: readonly PathChange[]
}

/** How many words stand before the path; paths have blanks too. */
const wordsBefore: Readonly<Record<string, number>> = { 1: 8, u: 10, '?': 1 }

/** Null for what git says when it has not worked: nothing. */
export function parseStatus(output: string): Status | null {
  let head: string | undefined
  let branch: string | null = null
  const changes: PathChange[] = []
  for (const field of output.split('\0')) {
    const words = field.split(' ')
    const kind = words[0] ?? ''
    if (words[1] === 'branch.oid') head = words[2]
    else if (words[1] === 'branch.head') branch = words[2] === '(detached)' ? null : (words[2] ?? null)
    else if (Object.hasOwn(wordsBefore, kind) && !field.endsWith('/')) {
      const path = words.slice(wordsBefore[kind]).join(' ')
      // The modes of the commit and of the disk; nothing else has none.
      const isNew = kind === '?' || (kind === '1' && words[3] === '000000')
      const isGone = kind === '1' && words[5] === '000000'
      changes.push(pathChange(path, isGone ? 'D' : isNew ? 'A' : 'M'))
    }
  }
  return head === undefined ? null : { head: head === '(initial)' ? null : head, branch, changes }
}

/** `git diff-tree --name-status -z`: a letter, a path, a letter … */
export function parseNameStatus(output: string): PathChange[] {
  const fields = output.split('\0')
  return fields.flatMap((letter, at) =>
    at % 2 === 1 || letter === '' ? [] : [pathChange(fields[at + 1] ?? '', letter)],
  )
}

export const pathChange = (path: string, letter: string): PathChange =>
  letter === 'D'
    ? { path, kind: 'deleted', now: 'nothing' }
    : { path, kind: letter === 'A' ? 'added' : 'modified', now: 'file' }
