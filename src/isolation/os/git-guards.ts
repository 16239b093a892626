import { basename, dirname, join } from 'node:path'

/** Something in a git directory that must be there to be protected: nobody can keep a missing file from being made. */
export interface StandIn {
  readonly path: string
  /** null: a directory. */
  readonly content: string | null
}

export interface GitGuards {
  /** What the agent may write, but for the rest: mounts of their own, so that nothing of them can be moved away. */
  readonly writable: readonly string[]
  /** What it may not: git runs it, follows it to something that it runs, or knows a repository by it. */
  readonly protected: readonly string[]
  /** Of those, what may be missing, parents first. */
  readonly standIns: readonly StandIn[]
}

/** What can run something, or name another directory that can; for each, what git takes for nothing at all. */
const ofEveryDirectory: readonly (readonly [name: string, harmless: string | null])[] = [
  ['config', ''],
  ['config.worktree', ''],
  ['hooks', null],
  ['info', null],
  ['modules', null],
  // Empty it would be broken; this one names the directory that it is in.
  ['commondir', '.\n'],
  ['objects/info', null],
  ['objects/info/alternates', ''],
]

/**
 * What of the git directories of a project an agent may write. `gitDirs` is the work tree's own one, then the common one if
 * that is another; `others` are the names of the other linked work trees that there are.
 */
export function gitGuards(project: string, gitDirs: readonly string[], others: readonly string[]): GitGuards {
  const [own = '', common = own] = gitDirs
  const isLinked = own !== common
  const standIns = ofEveryDirectory.map(([name, content]) => ({ path: join(common, name), content }))
  // Its directory is written by every repack; only what is in it is protected.
  const guarded = standIns.filter(({ path }) => !path.endsWith('/objects/info')).map(({ path }) => path)
  const ofWorkTrees = isLinked
    ? [
        join(own, 'HEAD'),
        join(own, 'commondir'),
        join(own, 'gitdir'),
        join(own, 'config.worktree'),
        // That of the main work tree, where a person may be at work.
        join(common, 'index'),
        ...others.map((name) => join(common, 'worktrees', name)),
      ]
    : [join(common, 'worktrees')]
  const more: StandIn[] = isLinked
    ? [{ path: join(own, 'config.worktree'), content: '' }]
    : [{ path: join(common, 'worktrees'), content: null }]
  const isFile = own !== join(project, '.git')
  return {
    // Without its refs a directory is no repository any more, and git would take the next one that it finds: the agent's.
    writable: [...new Set([common, own]), join(common, 'refs')],
    protected: [...guarded, join(common, 'HEAD'), ...ofWorkTrees, ...(isFile ? [join(project, '.git')] : [])],
    standIns: [...standIns, ...more],
  }
}

/** The linked work trees in a common directory, but for the one whose git directory this is. */
export function otherWorkTrees(names: readonly string[], gitDirs: readonly string[]): string[] {
  const [own = '', common = own] = gitDirs
  const mine = dirname(own) === join(common, 'worktrees') ? basename(own) : null
  return names.filter((name) => name !== mine)
}
