/** More are not told apart: then everything is somebody's mistake, and nothing is left out. */
export const maxArtefacts = 500

/** Whether a path is one of these, or in one of these directories (which end in a slash). */
export function isArtefact(path: string, artefacts: readonly string[]): boolean {
  return artefacts.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name))
}

/**
 * Files that a check made, as few names as possible: a directory in which the project has nothing else stands for all
 * that is in it, because its next names (times, numbers, hashes) are not known.
 */
export function nameArtefacts(added: readonly string[], tree: Iterable<string>): string[] {
  const directories = new Set<string>()
  for (const path of tree) for (const directory of directoriesOf(path)) directories.add(directory)
  const names = new Set(added.map((path) => directoriesOf(path).find((name) => !directories.has(name)) ?? path))
  return [...names].slice(0, maxArtefacts)
}

/** `a/` and `a/b/` for `a/b/c`. */
function directoriesOf(path: string): string[] {
  const names: string[] = []
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) names.push(path.slice(0, end + 1))
  return names
}
