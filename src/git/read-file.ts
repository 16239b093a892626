import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import type { Git } from './git.ts'
import { decodePath, encodePath, isInnerPath, splitFields } from './git-path.ts'
import type { TreeEntry } from './own-index.ts'

/** The bytes of a path in a tree or commit, as git keeps them; a link's are its target. null if there is no such file. */
export async function readFile(git: Git, tree: string, path: string): Promise<Result<Buffer | null, Failure>> {
  if (!isInnerPath(path)) return ok(null)
  let name = `${tree}:${path}`
  if (path.includes('\n')) {
    // A question is one line, so such a file is asked for by its id.
    const files = await listFiles(git, tree)
    if (!files.ok) return files
    const entry = files.value.find((file) => file.path === path)
    if (entry === undefined || entry.mode === '160000') return ok(null)
    name = entry.id
  }
  const answer = await git({
    doing: 'read a file of a snapshot',
    args: ['cat-file', '--batch'],
    stdin: Buffer.concat([encodePath(name), Buffer.from('\n')]),
    maxOutputBytes: 512 * 1024 * 1024,
  })
  if (!answer.ok) return answer
  const { stdout, cut } = answer.value
  const end = stdout.indexOf(0x0a)
  const [, type, size] = / (blob) (\d+)$/.exec(stdout.subarray(0, end).toString('latin1')) ?? []
  if (type === undefined) return ok(null)
  if (cut)
    return err({ reason: 'git-failed', doing: 'read a file of a snapshot', exitCode: null, stderr: 'it is too large' })
  return ok(stdout.subarray(end + 1, end + 1 + Number(size)))
}

/** Every entry of a tree or commit. */
export async function listFiles(git: Git, tree: string): Promise<Result<TreeEntry[], Failure>> {
  const answer = await git({
    doing: 'list the files of a snapshot',
    args: ['ls-tree', '-r', '-z', '--full-tree', tree],
  })
  if (!answer.ok) return answer
  const entries = splitFields(answer.value.stdout).map((field) => {
    const tab = field.indexOf(0x09)
    const [mode = '', , id = ''] = field.subarray(0, tab).toString('latin1').split(' ')
    return { mode, id, path: decodePath(field.subarray(tab + 1)) }
  })
  return ok(entries)
}
