import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { resolve } from 'node:path'

const maxLinks = 40

/** What the guard asks of the disk. */
interface SeenDisk {
  readonly real: (path: string) => string
  readonly exists: (path: string) => boolean
  readonly isDirectory: (path: string) => boolean
}

/**
 * The disk as one call sees it: every path is looked at once, however often a hostile command names it. `guarded` are files
 * that a second hard link would give another name.
 */
export function seenDisk(guarded: () => readonly string[]): SeenDisk {
  const seen = new Map<string, Stats | null>()
  const look = (path: string): Stats | null => {
    const known = seen.get(path)
    if (known !== undefined) return known
    const found = lookAt(path)
    seen.set(path, found)
    return found
  }

  /** By hand: realpath(3) gives up where a path does not exist yet, and that is where a write makes a file. */
  const followed = (path: string): string => {
    const rest = path.split('/').toReversed()
    let current = ''
    let links = 0
    let missing = 0
    while (rest.length > 0) {
      const name = rest.pop() ?? ''
      if (name === '' || name === '.') continue
      if (name === '..') {
        current = current.slice(0, Math.max(0, current.lastIndexOf('/')))
        missing = Math.max(0, missing - 1)
        continue
      }
      const next = `${current}/${name}`
      // Nothing is in what is not there, so nobody has to look.
      if (missing > 0 || look(next) === null) missing++
      const target = missing > 0 ? null : linkAt(next, look)
      if (target === null) current = next
      else if (++links > maxLinks) return path
      else {
        if (target.startsWith('/')) current = ''
        rest.push(...target.split('/').toReversed())
      }
    }
    return current === '' ? '/' : current
  }

  let twins: Map<string, string> | null = null
  const twinOf = (path: string): string | null => {
    const stats = look(path)
    if (stats === null || !stats.isFile() || stats.nlink < 2) return null
    twins ??= new Map(guarded().flatMap((file) => identity(look(file)).map((id) => [id, file] as const)))
    return identity(stats).map((id) => twins?.get(id) ?? null)[0] ?? null
  }

  return {
    real: (path) => {
      const real = followed(resolveStart(path))
      return twinOf(real) ?? real
    },
    exists: (path) => look(path) !== null,
    isDirectory: (path) => look(followed(path))?.isDirectory() === true,
  }
}

/** `..` must stay: behind a link it leads elsewhere than the text says. */
const resolveStart = (path: string): string => (path.startsWith('/') ? path : `${resolve('.')}/${path}`)

const identity = (stats: Stats | null): string[] => (stats?.isFile() === true ? [`${stats.dev}:${stats.ino}`] : [])

function linkAt(path: string, look: (path: string) => Stats | null): string | null {
  if (look(path)?.isSymbolicLink() !== true) return null
  try {
    return readlinkSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** What cannot be looked at is as good as missing: it cannot be written either. */
function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
