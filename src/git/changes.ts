import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { PathChange } from '../model/observation.ts'
import type { Git } from './git.ts'
import { decodePath, splitFields } from './git-path.ts'

/** One line of a raw diff. */
export interface RawChange {
  readonly path: string
  readonly oldMode: string
  readonly newMode: string
  readonly oldId: string
  readonly newId: string
}

/** How two trees or commits differ, path by path; a rename is a deletion and an addition. */
export async function rawChanges(git: Git, from: string, to: string): Promise<Result<RawChange[], Failure>> {
  if (from === to) return ok([])
  const answer = await git({
    doing: 'compare two trees',
    args: ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--end-of-options', from, to],
  })
  return answer.ok ? ok(parseRaw(answer.value.stdout)) : answer
}

export function parseRaw(output: Buffer): RawChange[] {
  const fields = splitFields(output)
  const changes: RawChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[at]?.toString('latin1') ?? '')
      .slice(1)
      .split(' ')
    changes.push({ path: decodePath(fields[at + 1] ?? Buffer.alloc(0)), oldMode, newMode, oldId, newId })
  }
  return changes
}

export function pathChange({ path, oldMode, newMode }: RawChange): PathChange {
  const kind = oldMode === '000000' ? 'added' : newMode === '000000' ? 'deleted' : 'modified'
  return { path, kind, now: kinds[newMode] ?? 'file' }
}

const kinds: Readonly<Record<string, PathChange['now']>> = {
  '000000': 'nothing',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'nested-repository',
}
