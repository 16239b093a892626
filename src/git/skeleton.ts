import { lstatSync, readlinkSync } from 'node:fs'
import { lookAt } from './disk.ts'
import { decodePath, diskPath } from './git-path.ts'
import type { GitLayout } from './git-layout.ts'
import { namesIn } from './guarded-files.ts'

/** Something in a git directory that is neither a file nor a directory: git would follow it, or hang on it. */
export interface OddEntry {
  readonly path: string
  readonly kind: 'link' | 'hard-link' | 'special'
  /** Where a link points to. */
  readonly target: string
}

export interface Skeleton {
  readonly odd: readonly OddEntry[]
  /** Lock files of git, with the time of their last change. */
  readonly locks: readonly { readonly path: string; readonly changedMs: number }[]
  /** More entries than any repository has: nobody can look at all of them. */
  readonly tooLarge: boolean
}

const maxEntries = 400_000
/** The socket of the user's own file monitor. */
const knownSockets = new Set(['fsmonitor--daemon.ipc'])
/** Directories that git writes into or reads through; the others at the top belong to other work trees and modules. */
const walked = ['logs', 'refs']

/** One pass over what git reads and writes in `.git`, but for the objects, by the types in the directories themselves. */
export function walkSkeleton(layout: GitLayout): Skeleton {
  const walk = new Walk()
  for (const root of new Set([layout.gitDir, layout.commonDir])) {
    walk.look(root, { deep: false, hardLinks: false })
    // In the common directory they are those of the main work tree, where a person may be writing a commit message.
    if (root !== layout.gitDir) walk.forgetLocks([`${root}/index.lock`, `${root}/HEAD.lock`])
    for (const name of walked) {
      // Reflogs are the only files that git changes in place, so there a second name is as bad as a link.
      if (lookAt(`${root}/${name}`)?.isDirectory() === true) {
        walk.look(`${root}/${name}`, { deep: true, hardLinks: name === 'logs' })
      }
    }
  }
  // Not all of it: git-lfs may have as many files as the project, and git does not read them.
  for (const name of ['objects', 'objects/info', 'objects/pack', 'lfs', 'lfs/objects', 'lfs/tmp']) {
    walk.look(`${layout.commonDir}/${name}`, { deep: false, hardLinks: false })
  }
  return walk.result()
}

/** Directories of objects that were in order, with the time of their last change: nobody can set a ctime back. */
export type OrderlyDirectories = Map<string, bigint>

/** Every object file; only needed before somebody reads objects, and by far the largest part. */
export function walkObjects(layout: GitLayout, orderly: OrderlyDirectories = new Map()): Skeleton {
  const walk = new Walk()
  const objects = `${layout.commonDir}/objects`
  walk.look(objects, { deep: false, hardLinks: false })
  for (const { name } of namesIn(objects).filter((entry) => entry.isDirectory())) {
    const path = `${objects}/${name}`
    const changed = lstatSync(diskPath(path, ''), { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? 0n
    if (orderly.get(path) === changed) continue
    const before = walk.odd.length
    walk.look(path, { deep: true, hardLinks: false })
    // One that changed just now can change again without another time to show for it.
    const isSettled = Number(changed / 1_000_000n) < Date.now() - 1000
    if (isSettled && walk.odd.length === before) orderly.set(path, changed)
  }
  return walk.result()
}

class Walk {
  readonly odd: OddEntry[] = []
  locks: { path: string; changedMs: number }[] = []
  left = maxEntries

  result(): Skeleton {
    return { odd: this.odd, locks: this.locks, tooLarge: this.left < 0 }
  }

  look(directory: string, how: { readonly deep: boolean; readonly hardLinks: boolean }): void {
    for (const entry of namesIn(directory)) {
      if (this.left-- < 0) return
      const path = `${directory}/${entry.name}`
      if (entry.isDirectory()) {
        if (how.deep) this.look(path, how)
      } else if (entry.isFile()) {
        if (entry.name.endsWith('.lock')) this.#addLock(path)
        if (how.hardLinks && (lookAt(diskPath(path, ''))?.nlink ?? 1) > 1) {
          this.odd.push({ path, kind: 'hard-link', target: '' })
        }
      } else if (entry.isSymbolicLink()) {
        const target = decodePath(readlinkSync(diskPath(path, ''), { encoding: 'buffer' }))
        this.odd.push({ path, kind: 'link', target })
      } else if (!knownSockets.has(entry.name)) {
        this.odd.push({ path, kind: 'special', target: '' })
      }
    }
  }

  forgetLocks(paths: readonly string[]): void {
    this.locks = this.locks.filter(({ path }) => !paths.includes(path))
  }

  #addLock(path: string): void {
    const seen = lookAt(diskPath(path, ''))
    // By the time that nobody can set back: a lock that looks old would stay, and keep everybody from committing.
    if (seen !== null) this.locks.push({ path, changedMs: seen.ctimeMs })
  }
}
