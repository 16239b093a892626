import { constants, copyFileSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf, lookAt, readRegular, removeName } from './disk.ts'
import type { Git } from './git.ts'
import type { GitLayout } from './git-layout.ts'
import { installFile } from './install-file.ts'
import { OwnIndex } from './own-index.ts'

const maxIndexBytes = 1024 * 1024 * 1024

/**
 * Gives the project an index that says: this commit is checked out. It is made in the state directory, from the
 * referee's own, and put in place by git's own lock protocol, so the user's `git status` is clean where the files are,
 * without any git having run on the project's configuration. What was staged is no longer.
 */
export async function writeProjectIndex(
  git: Git,
  place: RefereePlace,
  layout: GitLayout,
  commit: string,
): Promise<Result<void, Failure>> {
  const draft = `${place.scratch}/project-index`
  const index = new OwnIndex(git, draft)
  try {
    removeName(draft)
    if (lookAt(place.index) !== null) copyFileSync(place.index, draft, constants.COPYFILE_EXCL)
    const loaded = await index.load(commit, false)
    if (!loaded.ok) return loaded
    // Without the times of the files git would read them all again at the next status, and show nothing wrong.
    await git({ doing: 'look at the files', args: ['update-index', '-q', '--refresh'], index: draft, answers: [0, 1] })
    const bytes = readRegular(draft, maxIndexBytes)
    if (bytes === null) return err({ reason: 'storage', doing: 'read', path: draft, code: 'EIO' })
    installFile(`${layout.gitDir}/index`, bytes)
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path: `${layout.gitDir}/index`, code: codeOf(error) })
  } finally {
    removeName(draft)
  }
}
