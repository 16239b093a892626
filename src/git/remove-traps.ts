import { lookAt, removeName } from './disk.ts'
import { diskPath, isGitName } from './git-path.ts'
import { namesIn } from './guarded-files.ts'

/** git opens these wherever they are, waits for ever if one is a FIFO, and takes as much memory as one says it is long. */
const opened = new Set(['.gitignore', '.gitattributes', '.gitmodules'])
const maxDirectories = 200_000
const maxFileBytes = 100 * 1024 * 1024

/** Takes such traps out of the project and names them. Only for when git has failed: it looks at every directory. */
export function removeTraps(project: string): string[] {
  const found: string[] = []
  const open = ['']
  for (let count = 0; open.length > 0 && count < maxDirectories; count++) {
    const directory = open.pop() ?? ''
    for (const entry of namesIn(directory === '' ? project : `${project}/${directory}`)) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (entry.isDirectory()) {
        if (!isGitName(entry.name)) open.push(path)
      } else if (opened.has(entry.name) && isTrap(diskPath(project, path))) {
        found.push(path)
        removeName(diskPath(project, path))
      }
    }
  }
  return found
}

function isTrap(onDisk: string | Buffer): boolean {
  const seen = lookAt(onDisk)
  return seen !== null && !seen.isSymbolicLink() && (!seen.isFile() || seen.size > maxFileBytes)
}
