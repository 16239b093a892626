import { ok, type Result } from '../base/result.ts'
import { visibleLine } from '../base/visible.ts'
import type { Failure } from '../model/failure.ts'
import { rawChanges, type RawChange } from './changes.ts'
import type { RefereePlace } from './clean-environment.ts'
import { lookAt, removeName } from './disk.ts'
import { lineOf, type Git } from './git.ts'
import { decodePath, diskPath, joinPaths, splitFields } from './git-path.ts'
import { changedUnnoticed, readRacyEntries, type IndexTime } from './index-times.ts'
import { pointHeadAt } from './make-repository.ts'
import { isOwnFile, isPosing, type OwnFiles } from './own-files.ts'
import { OwnIndex } from './own-index.ts'
import { parseStatus, type Status } from './parse-status.ts'
import { listFiles } from './read-file.ts'
import { removeTraps } from './remove-traps.ts'
import { isTooLarge, sortByDisk, type LeftOut } from './sort-by-disk.ts'
import { watchedFiles } from './watched-files.ts'

export interface WorkTreeRequest {
  /** The commit that the work tree stands on. */
  readonly head: string
  /** Files or directories that belong to the tree although they are ignored. */
  readonly watch: readonly string[]
  /** Read every file again, whatever its times say. */
  readonly thorough: boolean
}

export interface WorkTreeLook {
  readonly tree: string
  /** Differs from `head`, and a commit would take it. */
  readonly uncommitted: readonly string[]
  /** Those of them that `head` does not have. */
  readonly untracked: readonly string[]
  /** In the tree because they are watched; ignored, so never committed. */
  readonly onlyWatched: readonly string[]
  readonly nested: readonly string[]
  readonly ignored: readonly string[]
  readonly leftOut: readonly LeftOut[]
  /** Watched, there, and not in the tree. */
  readonly watchedLeftOut: readonly string[]
  /** The runner's own files that `head` holds all the same: somebody forced them into a commit. */
  readonly ownInHead: readonly string[]
}

/**
 * The files of the project as a tree: what is committed, what is neither committed nor ignored, and what is watched.
 * It depends on the commit, the disk and the ignore files alone; the index in between only saves reading unchanged files.
 */
export class WorkTree {
  readonly #git: Git
  readonly #place: RefereePlace
  readonly #own: OwnFiles
  readonly #timeoutMs: number
  readonly #index: OwnIndex
  /** The commit whose submodules the index has, and its last tree. */
  #head: string | null = null
  #headTree: string | null = null
  #tree: string | null = null
  #submodules = new Map<string, string>()
  /** Submodules whose directory has become something else. */
  #replaced = new Set<string>()
  #watched = new Set<string>()
  /** Entries whose file could change without git noticing, as of the index of this time. */
  #racy: readonly IndexTime[] = []
  #stamp = 0

  constructor(
    git: Git,
    place: RefereePlace,
    { own, timeoutMs }: { readonly own: OwnFiles; readonly timeoutMs: number },
  ) {
    this.#git = git
    this.#place = place
    this.#own = own
    this.#timeoutMs = timeoutMs
    this.#index = new OwnIndex(git, place.index, timeoutMs)
  }

  async look(request: WorkTreeRequest): Promise<Result<WorkTreeLook, Failure>> {
    const first = await this.#lookOnce(request)
    if (first.ok || first.error.reason !== 'git-failed') return first
    // Perhaps because something waits where git expects a file, or one is longer than memory.
    const traps = removeTraps(this.#place.project)
    if (traps.length === 0) return first
    removeName(`${this.#index.path}.lock`)
    const second = await this.#lookOnce(request)
    if (!second.ok) return second
    const leftOut = traps.map((path) => ({ path, why: 'git could not read it, and it was removed' }))
    return ok({ ...second.value, leftOut: [...second.value.leftOut, ...leftOut] })
  }

  async #lookOnce(request: WorkTreeRequest): Promise<Result<WorkTreeLook, Failure>> {
    const { head } = request
    const doubted = await this.#distrust()
    if (!doubted.ok) return doubted
    pointHeadAt(this.#place, head)
    const loaded = this.#head === null || request.thorough ? await this.#load(head, request.thorough) : ok(undefined)
    if (!loaded.ok) return loaded
    const [status, prepared] = await Promise.all([this.#status(), this.#compareHeads(head)])
    if (!status.ok) return status
    if (!prepared.ok) return prepared
    const set = await this.#followHead(head, prepared.value.submodules)
    if (!set.ok) return set
    const seen = status.value
    const watched = new Set(
      watchedFiles(this.#place.project, request.watch).filter(
        (path) => !isOwnFile(this.#own, path) && !this.#isInSubmodule(path),
      ),
    )
    const ignored = await this.#ignoredNow(seen, watched)
    if (!ignored.ok) return ignored
    const isOwn = (path: string): boolean => isOwnFile(this.#own, path)
    const candidates = new Set([
      // The status was about the commit before: what became a submodule with this one was a file in it, and the other way round.
      ...[...seen.stale, ...seen.untracked, ...prepared.value.submodules.map(({ path }) => path)].filter(
        (path) => !isOwn(path) && !this.#submodules.has(path),
      ),
      ...[...watched].filter((path) => !this.#watched.has(path)),
      ...this.#changedSubmodules(),
    ])
    const sorted = sortByDisk(this.#place.project, candidates)
    const unwanted = seen.notInCommit.filter((path) => ignored.value.has(path) && !watched.has(path))
    const updated = await this.#update([...sorted.absent, ...unwanted], sorted.present)
    if (!updated.ok) return updated
    const leftOut = [...sorted.leftOut, ...updated.value]
    const leftOutPaths = new Set(leftOut.map(({ path }) => path))
    // What was left out is looked at again the next time: it may have become a file.
    this.#watched = new Set([...watched].filter((path) => !leftOutPaths.has(path)))

    const changes = this.#tree === this.#headTree ? ok([]) : await rawChanges(this.#git, head, this.#tree ?? '')
    if (!changes.ok) return changes
    const notInHead = new Set(changes.value.filter(({ oldMode }) => oldMode === '000000').map(({ path }) => path))
    const onlyWatched = new Set([...watched].filter((path) => ignored.value.has(path) && notInHead.has(path)))
    const uncommitted = changes.value.filter(
      ({ path }) => !isOwn(path) && !leftOutPaths.has(path) && !onlyWatched.has(path),
    )
    return ok({
      tree: this.#tree ?? '',
      uncommitted: uncommitted.map(({ path }) => path),
      untracked: uncommitted.filter(({ oldMode }) => oldMode === '000000').map(({ path }) => path),
      onlyWatched: [...onlyWatched],
      nested: seen.nested.filter((path) => !this.#submodules.has(path)),
      ignored: [...seen.ignored, ...unwanted].filter((path) => !isOwn(path)),
      leftOut: [...leftOut, ...this.#posing(seen)],
      watchedLeftOut: [...watched].filter((path) => leftOutPaths.has(path)),
      ownInHead: changes.value.map(({ path }) => path).filter(isOwn),
    })
  }

  #posing({ ignored, untracked, nested }: Status): LeftOut[] {
    return [...ignored, ...untracked, ...nested]
      .filter((path) => isPosing(this.#own, path))
      .map((path) => ({ path, why: 'it has a name of the runner’s own files, which no commit takes' }))
  }

  #isInSubmodule(path: string): boolean {
    return path.split('/').some((_, index, names) => this.#submodules.has(names.slice(0, index).join('/')))
  }

  /**
   * Makes these paths in the index what they are in a tree, where one of both has a submodule: it is there by its commit alone,
   * and nothing on the disk tells that it was put back.
   */
  async putBackSubmodules(tree: string, paths: readonly string[]): Promise<Result<void, Failure>> {
    const files = await listFiles(this.#git, tree)
    if (!files.ok) return files
    const wanted = new Map(files.value.filter(({ mode }) => mode === '160000').map(({ path, id }) => [path, id]))
    const concerned = paths.filter((path) => wanted.has(path) || this.#submodules.has(path))
    if (concerned.length === 0) return ok(undefined)
    this.#tree = null
    return this.#setSubmodules(new Map(concerned.map((path) => [path, wanted.get(path) ?? null])))
  }

  /** By path: the commit, or null if it is none any more. */
  async #setSubmodules(commits: ReadonlyMap<string, string | null>): Promise<Result<void, Failure>> {
    const gone = [...commits].filter(([, id]) => id === null).map(([path]) => path)
    for (const [path, id] of commits) {
      if (id === null) this.#submodules.delete(path)
      else this.#submodules.set(path, id)
    }
    const removed = await this.#index.remove(gone)
    if (!removed.ok) return removed
    return this.#index.set([...commits].flatMap(([path, id]) => (id === null ? [] : [{ path, mode: '160000', id }])))
  }

  /** Forgets the times of files that changed right after the last look, so that git reads them. */
  async #distrust(): Promise<Result<void, Failure>> {
    const stamp = lookAt(this.#index.path)?.mtimeMs ?? 0
    if (stamp !== this.#stamp) this.#racy = readRacyEntries(this.#index.path)
    this.#stamp = stamp
    const changed = this.#racy.filter((entry) => changedUnnoticed(this.#place.project, entry))
    // Once the second is over, every later change has another one.
    const now = Math.floor(Date.now() / 1000)
    this.#racy = this.#racy.filter(({ seconds }) => seconds >= now - 1)
    const huge = changed.filter(({ path }) => isTooLarge(this.#place.project, path))
    const removed = await this.#index.remove(huge.map(({ path }) => path))
    return removed.ok ? this.#index.set(changed.filter((entry) => !huge.includes(entry))) : removed
  }

  /** What a new commit means for the index beyond its files: which submodules it has, and its tree. */
  async #compareHeads(head: string): Promise<Result<{ submodules: readonly RawChange[] }, Failure>> {
    if (this.#head === head && this.#headTree !== null) return ok({ submodules: [] })
    const [changes, tree] = await Promise.all([
      rawChanges(this.#git, this.#head ?? head, head),
      this.#git({ doing: 'read a commit', args: ['rev-parse', '--verify', `${head}^{tree}`] }),
    ])
    if (!changes.ok) return changes
    if (!tree.ok) return tree
    this.#headTree = lineOf(tree.value)
    return ok({
      submodules: changes.value.filter(({ oldMode, newMode }) => oldMode === '160000' || newMode === '160000'),
    })
  }

  async #followHead(head: string, submodules: readonly RawChange[]): Promise<Result<void, Failure>> {
    const set = await this.#setSubmodules(
      new Map(submodules.map(({ path, newMode, newId }) => [path, newMode === '160000' ? newId : null])),
    )
    if (!set.ok) return set
    if (submodules.length > 0) this.#tree = null
    this.#head = head
    return ok(undefined)
  }

  async #load(head: string, anew: boolean): Promise<Result<void, Failure>> {
    const loaded = await this.#index.load(head, anew)
    if (!loaded.ok) return loaded
    const entries = await this.#index.entries()
    if (!entries.ok) return entries
    this.#submodules = new Map(entries.value.filter(({ mode }) => mode === '160000').map(({ path, id }) => [path, id]))
    // Without times git would read all of a file that is too large to be taken.
    const unwanted = entries.value
      .map(({ path }) => path)
      .filter((path) => isOwnFile(this.#own, path) || isTooLarge(this.#place.project, path))
    const removed = await this.#index.remove(unwanted)
    if (!removed.ok) return removed
    this.#watched.clear()
    this.#replaced.clear()
    this.#head = head
    this.#headTree = null
    this.#tree = null
    return ok(undefined)
  }

  async #status(): Promise<Result<Status, Failure>> {
    const answer = await this.#git({
      doing: 'look at the work tree',
      args: [
        'status',
        '--porcelain=v1',
        '-z',
        '--no-renames',
        '--ignore-submodules=all',
        '--untracked-files=all',
        '--ignored=matching',
      ],
      timeoutMs: this.#timeoutMs,
    })
    return answer.ok ? ok(parseStatus(answer.value.stdout)) : answer
  }

  /** Which paths of the index that no commit has, and which watched ones, are ignored by the rules of this moment. */
  async #ignoredNow(status: Status, watched: Set<string>): Promise<Result<Set<string>, Failure>> {
    const paths = [...new Set([...status.notInCommit, ...[...watched].filter((path) => !this.#watched.has(path))])]
    const present = sortByDisk(this.#place.project, paths).present
    if (present.length === 0) return ok(new Set())
    return checkIgnored(this.#git, present)
  }

  /** `--ignore-submodules` keeps git from running what a submodule configures, and from seeing that it is gone. */
  #changedSubmodules(): string[] {
    return [...this.#submodules.keys()].filter((path) => {
      const seen = lookAt(diskPath(this.#place.project, path))
      return seen !== null && !seen.isDirectory()
    })
  }

  async #update(absent: readonly string[], present: readonly string[]): Promise<Result<readonly LeftOut[], Failure>> {
    const back = [...this.#replaced].filter((path) => !present.includes(path))
    const gone = absent.filter((path) => !back.includes(path))
    const touched = gone.length + present.length + back.length > 0
    // A step that fails leaves an index that no tree describes.
    if (touched) this.#tree = null
    const refused: LeftOut[] = []
    const steps = [
      () => this.#index.remove(gone),
      () => this.#add(present, refused),
      () => this.#index.set(back.map((path) => ({ path, mode: '160000', id: this.#submodules.get(path) ?? '' }))),
    ]
    for (const step of steps) {
      const done = await step()
      if (!done.ok) return done
    }
    this.#replaced = new Set(present.filter((path) => this.#submodules.has(path)))
    if (this.#tree === null) {
      const tree = await this.#index.writeTree()
      if (!tree.ok) return tree
      this.#tree = tree.value
    }
    return ok(refused)
  }

  /** One file that git refuses (an encoding that an attribute claims and it has not) fails the list, so halve it. */
  async #add(paths: readonly string[], refused: LeftOut[]): Promise<Result<void, Failure>> {
    const added = await this.#index.add(paths)
    if (added.ok || added.error.reason !== 'git-failed' || added.error.exitCode === null) return added
    const [path] = paths
    if (paths.length === 1 && path !== undefined) {
      refused.push({ path, why: visibleLine(`git cannot take it: ${added.error.stderr}`) })
      // Else the tree would still have the old content.
      return this.#index.remove([path])
    }
    const half = Math.ceil(paths.length / 2)
    const first = await this.#add(paths.slice(0, half), refused)
    return first.ok ? this.#add(paths.slice(half), refused) : first
  }
}

/** Those of these paths that the ignore files in this work tree exclude. */
export async function checkIgnored(
  git: Git,
  paths: readonly string[],
  workTree?: string,
): Promise<Result<Set<string>, Failure>> {
  const answer = await git({
    doing: 'look at the ignore files',
    args: ['check-ignore', '-z', '--no-index', '--stdin'],
    // This command knows no literal paths; behind `./` a colon is not magic.
    env: { GIT_LITERAL_PATHSPECS: '0' },
    stdin: joinPaths(paths.map((path) => `./${path}`)),
    answers: [0, 1],
    ...(workTree === undefined ? {} : { workTree }),
  })
  return answer.ok
    ? ok(new Set(splitFields(answer.value.stdout).map((field) => decodePath(field.subarray(2)))))
    : answer
}
