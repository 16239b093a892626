import { statSync, type BigIntStats } from 'node:fs'
import { codeOf } from './disk.ts'
import { diskPath } from './git-path.ts'
import { namesIn } from './guarded-files.ts'

/** Where checks find programs that are in no commit. Their packages are too many to look at. */
const directories = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin']
const maxPrograms = 5000

/** Programs by path, each with the identity of the file that would run: another one in its place has another. */
export type InstalledPrograms = Readonly<Record<string, string>>

export function installedPrograms(project: string): InstalledPrograms {
  const found = directories.flatMap((directory) =>
    namesIn(`${project}/${directory}`).map(({ name }) => `${directory}/${name}`),
  )
  return Object.fromEntries(found.slice(0, maxPrograms).map((path) => [path, identityOf(diskPath(project, path))]))
}

/** What is new, other or gone; a directory that came or went as a whole is one name. */
export function changedPrograms(before: InstalledPrograms, now: InstalledPrograms): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const [filledBefore, filledNow] = [before, now].map((programs) => new Set(Object.keys(programs).map(directoryOf)))
  const isInBoth = (directory: string) => filledBefore?.has(directory) === true && filledNow?.has(directory) === true
  const changed = paths.filter((path) => before[path] !== now[path])
  return [...new Set(changed.map((path) => (isInBoth(directoryOf(path)) ? path : directoryOf(path))))]
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** By the times and size of the file behind a link: nobody can set a ctime back. */
function identityOf(path: string | Buffer): string {
  try {
    const { ino, size, ctimeNs }: BigIntStats = statSync(path, { bigint: true })
    return `${ino} ${size} ${ctimeNs}`
  } catch (error) {
    return codeOf(error)
  }
}
