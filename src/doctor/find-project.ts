import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { isRepository } from '../git/is-repository.ts'

/**
 * The top of the work tree around a directory; both real paths. null outside of one: agents work nowhere else, so there is
 * nothing that one can have written. A home that is a work tree (dot files) is no project, and programs lie in it.
 */
export function findProject(directory: string, home: string): string | null {
  if (isRepository(join(directory, '.git'))) return contains(directory, home) ? null : directory
  const above = dirname(directory)
  return above === directory ? null : findProject(above, home)
}

function contains(outer: string, inner: string): boolean {
  // A home that nobody has named is nowhere.
  const way = isAbsolute(inner) ? relative(outer, inner) : '..'
  return way !== '..' && !way.startsWith(`..${sep}`)
}
