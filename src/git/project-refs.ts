import type { GitLayout } from './git-layout.ts'
import { readRegular } from './disk.ts'

/** Where HEAD stands, read from the files themselves: the agent's git is not asked. */
export interface ProjectHead {
  /** Short name of the branch; null if detached, or if HEAD names something that is not a branch. */
  readonly branch: string | null
  /** The commit, or null if there is none yet or the ref cannot be read. */
  readonly commit: string | null
}

const idPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const maxRefBytes = 4096
const maxPackedBytes = 256 * 1024 * 1024

const isObjectId = (text: string): boolean => idPattern.test(text)

export function readHead(layout: GitLayout): ProjectHead {
  const text = readRegular(`${layout.gitDir}/HEAD`, maxRefBytes)?.toString('utf8').trim()
  if (text === undefined) return { branch: null, commit: null }
  if (isObjectId(text)) return { branch: null, commit: text }
  const target = /^ref:\s*(\S+)$/.exec(text)?.[1]
  if (target === undefined || !isSafeRef(target)) return { branch: null, commit: null }
  const branch = target.startsWith('refs/heads/') ? target.slice('refs/heads/'.length) : null
  return { branch, commit: readRef(layout, target) }
}

/** The commit that a ref names; a ref that names another ref is none of ours, so null. */
export function readRef(layout: GitLayout, ref: string): string | null {
  if (!isSafeRef(ref)) return null
  const loose = readRegular(`${layout.commonDir}/${ref}`, maxRefBytes)
  if (loose !== null) {
    const text = loose.toString('utf8').trim()
    return isObjectId(text) ? text : null
  }
  const packed = readRegular(`${layout.commonDir}/packed-refs`, maxPackedBytes)
  return packed === null ? null : findPacked(packed, ref)
}

export function findPacked(packed: Buffer, ref: string): string | null {
  const wanted = Buffer.from(` ${ref}\n`)
  for (let at = packed.indexOf(wanted); at !== -1; at = packed.indexOf(wanted, at + 1)) {
    const start = packed.lastIndexOf(0x0a, at) + 1
    const id = packed.subarray(start, at).toString('latin1')
    if (isObjectId(id)) return id
  }
  return null
}

/** The parts of git's rules for names that keep a path inside `refs/`. */
export function isSafeRef(ref: string): boolean {
  return (
    ref.startsWith('refs/') &&
    // oxlint-disable-next-line no-control-regex -- these are what git forbids in names
    !/[\0-\u{20}\u{7f}~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|\/$|\.$/u.test(ref)
  )
}
