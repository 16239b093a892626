import { isAbsolute, resolve } from 'node:path'
import { lookAt, readRegular } from './disk.ts'

/** Where a project's repository is, found without git and without following links. */
export interface GitLayout {
  /** A linked work tree, a submodule or `--separate-git-dir` has a file that names the directory. */
  readonly kind: 'directory' | 'gitfile'
  /** The bytes of that file, as base64; empty for a directory. */
  readonly gitfile: string
  /** HEAD, index and what else belongs to this work tree. */
  readonly gitDir: string
  /** Objects, refs, configuration and hooks; the same directory unless the work tree is a linked one. */
  readonly commonDir: string
}

const maxPointerBytes = 8192

/** null: there is no `.git`, or it is something that git did not put there. */
export function findLayout(project: string): GitLayout | null {
  const dotGit = `${project}/.git`
  const seen = lookAt(dotGit)
  if (seen === null) return null
  if (seen.isDirectory()) return { kind: 'directory', gitfile: '', gitDir: dotGit, commonDir: commonDirOf(dotGit) }
  const bytes = readRegular(dotGit, maxPointerBytes)
  const target = bytes === null ? null : /^gitdir: ([^\n\0]+)\n*$/.exec(bytes.toString('utf8'))?.[1]
  if (bytes === null || target === null || target === undefined) return null
  const gitDir = isAbsolute(target) ? target : resolve(project, target)
  if (lookAt(gitDir)?.isDirectory() !== true) return null
  return { kind: 'gitfile', gitfile: bytes.toString('base64'), gitDir, commonDir: commonDirOf(gitDir) }
}

function commonDirOf(gitDir: string): string {
  const bytes = readRegular(`${gitDir}/commondir`, maxPointerBytes)
  if (bytes === null) return gitDir
  const target = bytes.toString('utf8').replace(/\n+$/, '')
  return isAbsolute(target) ? target : resolve(gitDir, target)
}
