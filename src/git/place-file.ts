import { closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, readlinkSync, symlinkSync } from 'node:fs'
import { lookAt, removeName } from './disk.ts'
import { diskPath, encodePath } from './git-path.ts'
import type { RejectedList } from './rejected.ts'

/** What shall be at a path; `from` has the content and the mode. */
export type Wanted =
  | { readonly kind: 'file' | 'link'; readonly from: string | Buffer }
  /** A submodule's place: its files are its own. */
  | { readonly kind: 'directory' }
  /** `all`: also no directory, with whatever is in it. */
  | { readonly kind: 'nothing'; readonly all?: true }

const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd')

/**
 * Makes one path of the project what it shall be. Directories on the way are opened one by one without following links,
 * so that nothing is ever written or removed outside; a link or file in their place gives way. What was there is kept first.
 */
export function placeFile(
  project: string,
  path: string,
  { wanted, rejected }: { readonly wanted: Wanted; readonly rejected: RejectedList },
): void {
  const names = path.split('/')
  const last = names.pop() ?? ''
  let parent = new Opened(project)
  try {
    let reached = ''
    for (const name of names) {
      reached = reached === '' ? name : `${reached}/${name}`
      const seen = lookAt(parent.at(name))
      if (seen?.isDirectory() !== true) {
        if (wanted.kind === 'nothing') return
        if (seen !== null) take(parent.at(name), reached, rejected)
        mkdirSync(parent.at(name))
      }
      const next = new Opened(parent.at(name))
      parent.close()
      parent = next
    }
    place(parent, last, { path, wanted, rejected })
  } finally {
    parent.close()
  }
}

function place(
  parent: Opened,
  name: string,
  { path, wanted, rejected }: { path: string; wanted: Wanted; rejected: RejectedList },
): void {
  const target = parent.at(name)
  const seen = lookAt(target)
  if (wanted.kind === 'directory') {
    if (seen?.isDirectory() === true) return
    if (seen !== null) take(target, path, rejected)
    mkdirSync(target)
    return
  }
  if (wanted.kind === 'nothing') {
    // A directory is not what a path of a tree names, unless it is a repository of its own: its other files stay.
    const stays =
      wanted.all !== true &&
      seen?.isDirectory() === true &&
      lookAt(Buffer.concat([Buffer.from(target), Buffer.from('/.git')])) === null
    if (seen !== null && !stays) take(target, path, rejected)
    return
  }
  if (seen !== null) take(target, path, rejected)
  // In place: what a crash leaves here is put back by the next look; a draft beside it would look like the agent's work.
  if (wanted.kind === 'link') symlinkSync(readlinkSync(wanted.from, { encoding: 'buffer' }), target)
  else copyFileSync(wanted.from, target, constants.COPYFILE_EXCL)
}

/** Keeps what is there, then takes it away. */
function take(onDisk: string | Buffer, path: string, rejected: RejectedList): void {
  rejected.keep(onDisk, path)
  removeName(onDisk)
}

/** A directory that nobody can exchange under us, where descriptors have paths (Linux); elsewhere its path. */
class Opened {
  readonly #path: string | Buffer
  #descriptor: number | null = null

  constructor(path: string | Buffer) {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
    this.#descriptor = openSync(path, flags)
    this.#path = hasDescriptorPaths ? `/proc/self/fd/${this.#descriptor}` : path
  }

  at(name: string): string | Buffer {
    if (typeof this.#path === 'string') return diskPath(this.#path, name)
    return Buffer.concat([this.#path, Buffer.from('/'), encodePath(name)])
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
  }
}
