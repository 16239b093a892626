import { randomBytes } from 'node:crypto'
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Baseline } from './baseline.ts'
import { codeOf, lookAt, readRegular, removeName } from './disk.ts'
import { diskPath, encodePath } from './git-path.ts'
import { makeParents } from './install-file.ts'
import type { GitFinding } from './inspect-git-directory.ts'
import { RejectedList, type Rejected } from './rejected.ts'

const maxPackedBytes = 256 * 1024 * 1024

/** Makes `.git` what it was at the start. What is taken out comes back, so that nobody's work is lost. */
export function putBackGitDirectory(
  baseline: Baseline,
  findings: readonly GitFinding[],
  stateDir: string,
): Result<readonly Rejected[], Failure> {
  const rejected = new RejectedList(stateDir)
  for (const { path, repair } of findings) {
    try {
      rejected.keep(diskPath(path, ''), path)
      switch (repair.kind) {
        case 'remove':
          removeName(diskPath(path, ''))
          break
        case 'head':
          replaceFile(path, Buffer.from(`ref: refs/heads/${baseline.branch}\n`), 0o644)
          break
        case 'unpack-refs':
          replaceFile(path, withoutRefs(readRegular(path, maxPackedBytes) ?? Buffer.alloc(0), repair.refs), 0o644)
          break
        case 'write':
          if (repair.file.kind === 'file') {
            replaceFile(path, Buffer.from(repair.file.content, 'base64'), repair.file.mode)
          } else if (repair.file.kind === 'link') {
            makeParents(path)
            removeName(diskPath(path, ''))
            symlinkSync(encodePath(repair.file.content), diskPath(path, ''))
          }
          break
      }
    } catch (error) {
      return err({ reason: 'storage', doing: 'put back', path, code: codeOf(error) })
    }
  }
  return ok(rejected.found)
}

/** A whole new file under this name: a link gives way and is not followed. */
export function replaceFile(path: string, bytes: Uint8Array, mode: number): void {
  makeParents(path)
  if (lookAt(diskPath(path, ''))?.isDirectory() === true) removeName(diskPath(path, ''))
  const draft = diskPath(`${path}.ralph-${randomBytes(6).toString('hex')}`, '')
  writeFileSync(draft, bytes, { flag: 'wx', mode })
  renameSync(draft, diskPath(path, ''))
}

/** packed-refs without these. */
export function withoutRefs(packed: Buffer, refs: readonly string[]): Buffer {
  const gone = new Set(refs)
  const lines = packed.toString('latin1').split('\n')
  let drop = false
  const kept = lines.filter((line) => {
    // A line with ^ belongs to the tag above it.
    if (!line.startsWith('^')) drop = gone.has(/^[0-9a-f]+ (.+)$/.exec(line)?.[1] ?? '')
    return !drop
  })
  return Buffer.from(kept.join('\n'), 'latin1')
}
