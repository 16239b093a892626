import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { extractFiles } from './extract-files.ts'
import type { Git } from './git.ts'
import { checkIgnored } from './work-tree.ts'

/** Those of these ignored paths that the ignore files of an earlier tree would have let through. */
export async function newlyIgnored(
  git: Git,
  place: RefereePlace,
  request: { readonly ignored: readonly string[]; readonly before: string },
): Promise<Result<readonly string[], Failure>> {
  if (request.ignored.length === 0) return ok([])
  const rules = await extractFiles(
    git,
    place,
    request.before,
    (path) => path === '.gitignore' || path.endsWith('/.gitignore'),
  )
  if (!rules.ok) return rules
  try {
    // For a directory the question is whether a file in it would be seen.
    const questions = new Map(request.ignored.map((path) => [path.endsWith('/') ? `${path}.ralph-probe` : path, path]))
    const known = await checkIgnored(git, [...questions.keys()], rules.value.directory)
    if (!known.ok) return known
    return ok([...questions].filter(([question]) => !known.value.has(question)).map(([, path]) => path))
  } finally {
    rules.value.remove()
  }
}
