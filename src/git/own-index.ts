import { err, ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { lookAt, removeName } from './disk.ts'
import { lineOf, type Git } from './git.ts'
import { decodePath, encodePath, joinPaths, splitFields } from './git-path.ts'

/** An entry of an index or tree. */
export interface TreeEntry {
  readonly mode: string
  readonly id: string
  readonly path: string
}

const longestMs = 15 * 60_000

/** Calls on an index of ours, the referee's own unless another one is named. */
export class OwnIndex {
  readonly #git: Git
  readonly #timeoutMs: number
  readonly path: string

  constructor(git: Git, path: string, timeoutMs = longestMs) {
    this.#git = git
    this.#timeoutMs = timeoutMs
    this.path = path
  }

  /** Fills it from a commit or tree; what it knew of unchanged files on disk stays, unless all shall be read anew. */
  async load(tree: string, anew: boolean): Promise<Result<void, Failure>> {
    if (!anew && lookAt(this.path) !== null) {
      const kept = await this.#run('read a tree', ['read-tree', '-m', tree])
      if (kept.ok) return ok(undefined)
    }
    removeName(this.path)
    removeName(`${this.path}.lock`)
    const loaded = await this.#run('read a tree', ['read-tree', tree])
    return loaded.ok ? ok(undefined) : loaded
  }

  async entries(): Promise<Result<TreeEntry[], Failure>> {
    const answer = await this.#run('list files', ['ls-files', '-s', '-z'])
    return answer.ok ? ok(answer.value.fields.map(parseEntry)) : answer
  }

  async add(paths: readonly string[]): Promise<Result<void, Failure>> {
    if (paths.length === 0) return ok(undefined)
    return this.#feed(['--add', '--replace', '--stdin'], joinPaths(paths))
  }

  async remove(paths: readonly string[]): Promise<Result<void, Failure>> {
    if (paths.length === 0) return ok(undefined)
    return this.#feed(['--force-remove', '--stdin'], joinPaths(paths))
  }

  /** Sets entries without looking at the disk; mode `000000` takes one out. */
  async set(entries: readonly TreeEntry[]): Promise<Result<void, Failure>> {
    if (entries.length === 0) return ok(undefined)
    const lines = entries.flatMap(({ mode, id, path }) => [
      Buffer.from(mode === '000000' ? `0 ${id}\t` : `${mode} ${id}\t`),
      encodePath(path),
      Buffer.from([0]),
    ])
    return this.#feed(['--replace', '--index-info'], Buffer.concat(lines))
  }

  async writeTree(): Promise<Result<string, Failure>> {
    const answer = await this.#git({ doing: 'write a tree', args: ['write-tree'], index: this.path })
    return answer.ok ? ok(lineOf(answer.value)) : answer
  }

  async #feed(options: readonly string[], stdin: Buffer): Promise<Result<void, Failure>> {
    const answer = await this.#git({
      doing: 'take up changed files',
      args: ['update-index', '-z', ...options],
      index: this.path,
      stdin,
      timeoutMs: this.#timeoutMs,
    })
    return answer.ok ? ok(undefined) : answer
  }

  async #run(doing: string, args: readonly string[]): Promise<Result<{ fields: Buffer[] }, Failure>> {
    const answer = await this.#git({ doing, args, index: this.path })
    return answer.ok ? ok({ fields: splitFields(answer.value.stdout) }) : err(answer.error)
  }
}

/** `mode id stage<TAB>path` of ls-files. */
function parseEntry(field: Buffer): TreeEntry {
  const tab = field.indexOf(0x09)
  const [mode = '', id = ''] = field.subarray(0, tab).toString('latin1').split(' ')
  return { mode, id, path: decodePath(field.subarray(tab + 1)) }
}
