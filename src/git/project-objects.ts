import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
} from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { RefereePlace } from './clean-environment.ts'
import { codeOf, removeName } from './disk.ts'
import type { Git } from './git.ts'
import type { GitLayout } from './git-layout.ts'

/**
 * Copies what the project lacks of these commits into it, as one pack that is made in the state directory. `has` are
 * commits that came from the project itself, so it has them and all they need.
 */
export async function giveObjects(
  git: Git,
  place: RefereePlace,
  request: { readonly layout: GitLayout; readonly commits: readonly string[]; readonly has: readonly string[] },
): Promise<Result<void, Failure>> {
  const target = `${request.layout.commonDir}/objects/pack`
  let scratch: string | null = null
  try {
    scratch = mkdtempSync(`${place.scratch}/pack-`)
    const packed = await git({
      doing: 'pack a commit',
      args: ['pack-objects', '--quiet', '--revs', '--non-empty', `${scratch}/pack`],
      stdin: [...request.commits, ...request.has.map((id) => `^${id}`), ''].join('\n'),
      timeoutMs: 15 * 60_000,
    })
    if (!packed.ok) return packed
    // The index last: git finds a pack by it. One of the same name should be the same; an agent may have seen to it that not.
    const names = readdirSync(scratch).sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')))
    for (const name of names) {
      const draft = `${target}/tmp_ralph_${name}`
      removeName(draft)
      copyFileSync(`${scratch}/${name}`, draft, constants.COPYFILE_EXCL)
      flush(draft)
      chmodSync(draft, 0o444)
      renameSync(draft, `${target}/${name}`)
    }
    return ok(undefined)
  } catch (error) {
    return err({ reason: 'storage', doing: 'write', path: target, code: codeOf(error) })
  } finally {
    if (scratch !== null) removeName(scratch)
  }
}

/** The branch will be on the disk after a power cut, so what it names must be. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
