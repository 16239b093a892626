import { lookAt, removeName } from './disk.ts'
import { diskPath, isGitName } from './git-path.ts'
import { namesIn } from './guarded-files.ts'

/** git opens these wherever they are, and waits for ever if one is a FIFO. */
const opened = new Set(['.gitignore', '.gitattributes', '.gitmodules'])
const maxDirectories = 200_000

/** Takes such traps out of the project and names them. Only for when git has hung: it looks at every directory. */
export function removeTraps(project: string): string[] {
  const found: string[] = []
  const open = ['']
  for (let count = 0; open.length > 0 && count < maxDirectories; count++) {
    const directory = open.pop() ?? ''
    for (const entry of namesIn(directory === '' ? project : `${project}/${directory}`)) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`
      if (entry.isDirectory()) {
        if (!isGitName(entry.name)) open.push(path)
      } else if (opened.has(entry.name) && !entry.isFile() && !entry.isSymbolicLink()) {
        found.push(path)
      }
    }
  }
  for (const path of found) {
    if (lookAt(diskPath(project, path))?.isFile() === false) removeName(diskPath(project, path))
  }
  return found
}
