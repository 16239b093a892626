import { accessSync, constants } from 'node:fs'
import { codeOf, lookAt } from './disk.ts'
import { diskPath, isInnerPath } from './git-path.ts'

/** A path that is on disk and not in the tree, and why. */
export interface LeftOut {
  readonly path: string
  readonly why: string
}

export interface SortedPaths {
  readonly present: readonly string[]
  readonly absent: readonly string[]
  readonly leftOut: readonly LeftOut[]
}

/** Larger files would fill the state directory at every snapshot. */
const maxFileBytes = 256 * 1024 * 1024

/**
 * What is really at these paths, by lstat: git dies on a whole list for one FIFO, unreadable file or path that now lies
 * behind a link.
 */
export function sortByDisk(project: string, paths: Iterable<string>): SortedPaths {
  const present: string[] = []
  const absent: string[] = []
  const leftOut: LeftOut[] = []
  const directories = new Map<string, boolean>([['', true]])
  for (const path of paths) {
    const why = whyNot(project, path, directories)
    if (why === null) present.push(path)
    else {
      absent.push(path)
      if (why !== '') leftOut.push({ path, why })
    }
  }
  return { present, absent, leftOut }
}

export const isTooLarge = (project: string, path: string): boolean =>
  (lookAt(diskPath(project, path))?.size ?? 0) > maxFileBytes

/** null: a file or link that can be read; empty: nothing that a tree could hold. */
function whyNot(project: string, path: string, directories: Map<string, boolean>): string | null {
  if (!isRealDirectory(project, path.slice(0, Math.max(0, path.lastIndexOf('/'))), directories)) return ''
  const onDisk = diskPath(project, path)
  const seen = lookAt(onDisk)
  if (seen === null || seen.isDirectory()) return ''
  if (!isInnerPath(path)) return 'git does not take such a name'
  if (seen.isSymbolicLink()) return null
  if (!seen.isFile()) return 'it is neither a file nor a link'
  if (seen.size > maxFileBytes) return `it is larger than ${maxFileBytes / 1024 / 1024} MB`
  try {
    accessSync(onDisk, constants.R_OK)
    return null
  } catch (error) {
    codeOf(error)
    return 'it cannot be read'
  }
}

/** Whether no name on the way is a link. */
function isRealDirectory(project: string, path: string, known: Map<string, boolean>): boolean {
  const cached = known.get(path)
  if (cached !== undefined) return cached
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const real = isRealDirectory(project, parent, known) && lookAt(diskPath(project, path))?.isDirectory() === true
  known.set(path, real)
  return real
}
