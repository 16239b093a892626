import { lookAt } from './disk.ts'
import { diskPath, isInnerPath } from './git-path.ts'
import { namesIn } from './guarded-files.ts'

const maxFiles = 5000

/** The files and links at these paths and below them, without entering links. */
export function watchedFiles(project: string, watch: readonly string[]): string[] {
  const found: string[] = []
  for (const path of watch) {
    if (isInnerPath(path) && isReached(project, path)) collect(project, path, found)
  }
  return found
}

function collect(project: string, path: string, found: string[]): void {
  const seen = lookAt(diskPath(project, path))
  if (seen === null || found.length >= maxFiles) return
  if (seen.isFile() || seen.isSymbolicLink()) found.push(path)
  if (!seen.isDirectory()) return
  const entries = namesIn(`${project}/${path}`)
  // A repository inside is reported as such; its files are its own.
  if (entries.some(({ name }) => name === '.git')) return
  for (const { name } of entries) collect(project, `${path}/${name}`, found)
}

/** Every directory on the way is a real one. */
function isReached(project: string, path: string): boolean {
  const names = path.split('/').slice(0, -1)
  return names.every(
    (_, index) => lookAt(diskPath(project, names.slice(0, index + 1).join('/')))?.isDirectory() === true,
  )
}
