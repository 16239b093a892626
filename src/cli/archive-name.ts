import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import { openDirectory } from '../store/directory.ts'
import { lookAt } from '../store/look-at.ts'

export const archiveDir = 'ralph-archive'

/** What a label becomes in a path: nothing of it can lead anywhere. Null if nothing is left. */
export function slugOf(label: string): string | null {
  const slug = label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+/g, '')
    .slice(0, 60)
    .replaceAll(/-+$/g, '')
  return slug === '' ? null : slug
}

/** The first name of its day that is free (a link to nowhere takes one too), in a directory that is no link itself. */
export function freePlace(root: string, name: string): Result<string, Failure> {
  const found = attempt('open', archiveDir, () => {
    const directory = openDirectory(root, [archiveDir])
    if (!('at' in directory)) return directory.kind === 'missing' ? name : directory
    try {
      let candidate = name
      for (let n = 2; lookAt(directory.at(candidate)) !== null; n++) candidate = `${name}-${n}`
      return candidate
    } finally {
      directory.close()
    }
  })
  if (!found.ok) return found
  return typeof found.value === 'string'
    ? ok(`${archiveDir}/${found.value}`)
    : err({ reason: 'unsafe-file', path: archiveDir, why: found.value.why })
}
