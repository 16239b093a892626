import { dirname, join } from 'node:path'
import { visibleLine } from '../base/visible.ts'
import { isRepository } from '../git/is-repository.ts'

/** That there is nothing in a directory; and where its user most likely wants to look, if it lies in a repository. */
export function nothingHere(directory: string, words = 'No run has started here.'): string {
  const above = repositoryAbove(directory)
  const hint = above === null ? [] : [`This lies in ${visibleLine(above)}: give --project-dir to look there.`]
  return [words, ...hint].join('\n')
}

/** The repository that a directory lies in without being its top; null if it is the top or in none. */
export function repositoryAbove(directory: string): string | null {
  if (isRepository(join(directory, '.git'))) return null
  for (let path = dirname(directory); dirname(path) !== path; path = dirname(path)) {
    if (isRepository(join(path, '.git'))) return path
  }
  return null
}
