import { readdirSync, readlinkSync, type Dirent } from 'node:fs'
import { codeOf, lookAt, readRegular } from './disk.ts'
import { decodePath, diskPath } from './git-path.ts'
import type { GitLayout } from './git-layout.ts'

/** A file in a git directory that can run something, or make git look elsewhere: it stays as it was at the start. */
export interface GuardedFile {
  readonly path: string
  readonly kind: 'file' | 'link' | 'other'
  /** Permission bits of a file. */
  readonly mode: number
  /** Bytes of a file as base64, target of a link; empty for others and for files too large to keep. */
  readonly content: string
  readonly size: number
}

const maxFileBytes = 4 * 1024 * 1024
export const maxGuardedFiles = 5000
/** Written by git itself for old web servers at every repack; nothing of ours reads it. */
const harmless = new Set(['info/refs'])
/**
 * What git takes for nothing at all is the same as a missing file. The OS sandbox puts such files there while a command runs,
 * also that of a run in another work tree of this repository.
 */
const saysNothing: readonly (readonly [name: string, text: string])[] = [
  ['config.worktree', ''],
  ['commondir', '.\n'],
  ['objects/info/alternates', ''],
]

export const isTooLargeToKeep = ({ kind, size }: GuardedFile): boolean => kind === 'file' && size > maxFileBytes

class Guarded extends Map<string, GuardedFile> {
  /** Thousands of long files must not fill our memory; what is not read is not the same as before. */
  bytesLeft = 256 * 1024 * 1024
}

/** Everything guarded of one project, by path. */
export function collectGuarded(layout: GitLayout): Map<string, GuardedFile> {
  const found = new Guarded()
  const roots = [...new Set([layout.commonDir, layout.gitDir])]
  for (const root of roots) collectRoot(root, found)
  if (layout.gitDir !== layout.commonDir) addName(`${layout.gitDir}/gitdir`, found)
  for (const name of ['objects/info/alternates', 'objects/info/http-alternates', 'shallow']) {
    addName(`${layout.commonDir}/${name}`, found)
  }
  addTree(`${layout.commonDir}/refs/replace`, found)
  for (const module of findModules(`${layout.commonDir}/modules`, 0)) collectRoot(module, found)
  for (const root of roots) for (const [name, text] of saysNothing) dropIfSo(`${root}/${name}`, text, found)
  return found
}

function collectRoot(root: string, found: Guarded): void {
  for (const name of ['config', 'config.worktree', 'commondir']) addName(`${root}/${name}`, found)
  addTree(`${root}/hooks`, found)
  addTree(`${root}/info`, found)
  for (const name of harmless) {
    if (found.get(`${root}/${name}`)?.kind === 'file') found.delete(`${root}/${name}`)
  }
}

function dropIfSo(path: string, text: string, found: Guarded): void {
  const file = found.get(path)
  if (file?.kind !== 'file' || file.size !== text.length) return
  if (file.content === Buffer.from(text).toString('base64')) found.delete(path)
}

/** Absorbed submodules: directories below `modules` that have a HEAD; their names may contain slashes. */
function findModules(directory: string, depth: number): string[] {
  const found: string[] = []
  for (const entry of depth > 8 ? [] : namesIn(directory)) {
    if (!entry.isDirectory()) continue
    const path = `${directory}/${entry.name}`
    const isModule = lookAt(diskPath(path, 'HEAD')) !== null
    if (isModule) found.push(path)
    found.push(...findModules(isModule ? `${path}/modules` : path, depth + 1))
  }
  return found
}

function addTree(directory: string, found: Guarded): void {
  if (lookAt(directory)?.isDirectory() !== true) {
    addName(directory, found)
    return
  }
  for (const entry of namesIn(directory)) {
    if (found.size > maxGuardedFiles) return
    if (entry.isDirectory()) addTree(`${directory}/${entry.name}`, found)
    else addName(`${directory}/${entry.name}`, found)
  }
}

function addName(path: string, found: Guarded): void {
  const onDisk = diskPath(path, '')
  const seen = lookAt(onDisk)
  if (seen === null) return
  if (seen.isSymbolicLink()) {
    const target = decodePath(readlinkSync(onDisk, { encoding: 'buffer' }))
    found.set(path, { path, kind: 'link', mode: 0, content: target, size: 0 })
  } else if (seen.isFile()) {
    const content = readRegular(onDisk, Math.min(maxFileBytes, found.bytesLeft))?.toString('base64') ?? ''
    found.bytesLeft -= content.length
    found.set(path, { path, kind: 'file', mode: seen.mode & 0o777, content, size: seen.size })
  } else {
    found.set(path, { path, kind: 'other', mode: 0, content: '', size: 0 })
  }
}

/** Entries of a directory with names as paths; none if it is not one. */
export function namesIn(directory: string): Dirent[] {
  const onDisk = diskPath(directory, '')
  if (lookAt(onDisk)?.isDirectory() !== true) return []
  try {
    const entries = readdirSync(onDisk, { withFileTypes: true })
    // The usual case is much faster as text; a name that is not UTF-8 shows by the replacement character.
    if (!entries.some(({ name }) => name.includes('\u{fffd}'))) return entries
    const exact = readdirSync(onDisk, { withFileTypes: true, encoding: 'buffer' })
    return exact.map((entry) => Object.assign(entry as unknown as Dirent, { name: decodePath(entry.name) }))
  } catch (error) {
    codeOf(error)
    return []
  }
}
