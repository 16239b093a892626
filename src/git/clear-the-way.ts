import { lookAt, readRegular, removeName } from './disk.ts'
import { diskPath } from './git-path.ts'
import type { GitLayout } from './git-layout.ts'
import { readRef } from './project-refs.ts'
import { replaceFile, withoutRefs } from './put-back-git-directory.ts'
import type { RejectedList } from './rejected.ts'

const maxPackedBytes = 256 * 1024 * 1024

/**
 * Takes out what keeps a ref from being written: a file that is no commit (garbage, or the name of another ref), a
 * branch `a` where `a/b` should be, or branches `a/…` where `a` should be.
 */
export function clearTheWay(layout: GitLayout, ref: string, rejected: RejectedList): void {
  const path = `${layout.commonDir}/${ref}`
  const parents = parentRefs(ref)
  const loose = parents
    .map((name) => `${layout.commonDir}/${name}`)
    .filter((name) => lookAt(name)?.isDirectory() === false)
  const seen = lookAt(path)
  if (seen?.isDirectory() === true || (seen !== null && readRef(layout, ref) === null)) loose.push(path)
  for (const name of loose) {
    rejected.keep(diskPath(name, ''), name)
    removeName(diskPath(name, ''))
  }
  const packedPath = `${layout.commonDir}/packed-refs`
  const packed = readRegular(packedPath, maxPackedBytes)
  const names = packed?.toString('latin1').match(/(?<=^[0-9a-f]+ )refs\/.+$/gm) ?? []
  const blocking = names.filter((name) => parents.includes(name) || name.startsWith(`${ref}/`))
  if (packed === null || blocking.length === 0) return
  rejected.keep(packedPath, packedPath)
  replaceFile(packedPath, withoutRefs(packed, blocking), 0o644)
}

/** `refs/heads/a` and `refs/heads/a/b` for `refs/heads/a/b/c`. */
function parentRefs(ref: string): string[] {
  const names = ref.split('/')
  return names.slice(3).map((_, index) => names.slice(0, index + 3).join('/'))
}
