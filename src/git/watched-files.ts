import { lookAt } from './disk.ts'
import { diskPath, isGitName, isInnerPath } from './git-path.ts'
import { namesIn } from './guarded-files.ts'

/** Everything but directories at these paths and below them, without entering links; a path may end in a slash. */
export function watchedFiles(project: string, watch: readonly string[]): string[] {
  const found: string[] = []
  for (const path of watch.map((name) => name.replace(/\/$/, ''))) {
    if (isInnerPath(path) && isReached(project, path)) collect(project, path, found)
  }
  return found
}

function collect(project: string, path: string, found: string[]): void {
  const seen = lookAt(diskPath(project, path))
  if (seen === null) return
  if (!seen.isDirectory()) {
    found.push(path)
    return
  }
  // What lies beside a `.git` counts all the same: an agent may have put one there to hide it.
  for (const { name } of namesIn(`${project}/${path}`)) {
    if (!isGitName(name)) collect(project, `${path}/${name}`, found)
  }
}

/** Every directory on the way is a real one. */
function isReached(project: string, path: string): boolean {
  const names = path.split('/').slice(0, -1)
  return names.every(
    (_, index) => lookAt(diskPath(project, names.slice(0, index + 1).join('/')))?.isDirectory() === true,
  )
}
