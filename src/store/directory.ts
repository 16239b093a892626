import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './attempt.ts'
import { lookAt } from './look-at.ts'

/** A directory inside the project that was reached without following a link. Close it. */
export interface Directory {
  /** A path for system calls on a name in it; nobody can redirect it where descriptors have paths (Linux). */
  at(name: string): string
  sync(): void
  close(): void
}

/** Why a directory could not be had. */
export type NoDirectory =
  | { readonly kind: 'missing' }
  /** A link or something else stands where a directory should be; `why` is one phrase. */
  | { readonly kind: 'unsafe'; readonly why: string }

export interface Walk {
  /** Make the directories that are missing. */
  readonly create?: boolean
  /** Default: whether this system has them. Without, a link planted between check and use is followed. */
  readonly descriptorPaths?: boolean
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd')

/** `O_NOFOLLOW` protects only the last name of a path, so every name on the way is opened by itself, from `root` on. */
export function openDirectory(root: string, names: readonly string[], walk: Walk = {}): Directory | NoDirectory {
  const step = (walk.descriptorPaths ?? hasDescriptorPaths) ? byDescriptor : byPath
  let current = step(root)
  for (const name of names) {
    if (!('at' in current)) return current
    const parent = current
    try {
      current = step(parent.at(name))
      if ('kind' in current && current.kind === 'missing' && walk.create === true) {
        makeDirectory(parent.at(name))
        current = step(parent.at(name))
      }
    } finally {
      parent.close()
    }
  }
  return current
}

function byDescriptor(path: string): Directory | NoDirectory {
  let fd: number
  try {
    fd = openSync(path, flags)
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT') return { kind: 'missing' }
    if (code === 'ENOTDIR' || code === 'ELOOP') return { kind: 'unsafe', why: notADirectory(path) }
    throw error
  }
  return {
    at: (name) => `/proc/self/fd/${fd}/${name}`,
    sync: () => fsyncSync(fd),
    close: () => closeSync(fd),
  }
}

/** macOS and others: checked, then used by path. Not run on such a system; tested here through `descriptorPaths: false`. */
function byPath(path: string): Directory | NoDirectory {
  const seen = lookAt(path)
  if (seen === null) return { kind: 'missing' }
  if (!seen.isDirectory()) return { kind: 'unsafe', why: notADirectory(path) }
  const fd = openSync(path, flags)
  return { at: (name) => join(path, name), sync: () => fsyncSync(fd), close: () => closeSync(fd) }
}

function notADirectory(path: string): string {
  return lookAt(path)?.isSymbolicLink() === true ? 'its directory is a link' : 'its directory is something else'
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
}
