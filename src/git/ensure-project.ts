import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../base/result.ts'
import { shellQuote } from '../base/shell-quote.ts'
import type { Failure } from '../model/failure.ts'
import { codeOf, lookAt, readRegular } from './disk.ts'
import { findLayout, type GitLayout } from './git-layout.ts'
import { readHead } from './project-refs.ts'
import {
  parseConfig,
  pushRemote,
  selectConfiguration,
  type ConfigEntry,
  type UserConfiguration,
  type UserGit,
} from './user-configuration.ts'

/** A project that a run can start in, as it was found. */
export interface FoundProject {
  readonly layout: GitLayout
  readonly branch: string
  readonly commit: string
  readonly configuration: UserConfiguration
}

/** Operations that wait for a person to finish them, with the file that says so and what ends them. */
export const openOperations = [
  { name: 'merge', files: ['MERGE_HEAD'], end: 'git merge --abort' },
  { name: 'rebase', files: ['rebase-merge', 'rebase-apply'], end: 'git rebase --abort' },
  { name: 'cherry-pick', files: ['CHERRY_PICK_HEAD'], end: 'git cherry-pick --abort' },
  { name: 'revert', files: ['REVERT_HEAD'], end: 'git revert --abort' },
  { name: 'bisect', files: ['BISECT_LOG'], end: 'git bisect reset' },
] as const

export const openOperation = (gitDir: string): (typeof openOperations)[number] | null =>
  openOperations.find(({ files }) => files.some((file) => lookAt(`${gitDir}/${file}`) !== null)) ?? null

const maxUserFileBytes = 4 * 1024 * 1024

/** The first condition of a run; every refusal names the commands that help. `project` is a real path. */
export async function ensureProject(
  project: string,
  git: UserGit,
  environment: Readonly<Record<string, string>>,
): Promise<Result<FoundProject, Failure>> {
  const place = await ensureWorkTree(project, git)
  if (!place.ok) return place
  const layout = findLayout(project)
  if (layout === null)
    return refuse('.git is not a directory or file as git makes it.', 'Look at it with "git status".')
  const listed = await git(['config', '-z', '--list', '--show-scope'])
  if (!listed.ok) return listed
  const entries = parseConfig(listed.value)
  const selected = selectConfiguration(entries)
  if (selected.refStorage !== 'files') {
    return refuse(
      `This repository keeps its refs as "${selected.refStorage}", which is not supported yet.`,
      'Run "git refs migrate --ref-format=files".',
    )
  }
  if (selected.sparse) {
    return refuse(
      'This is a sparse checkout: files that are missing on purpose would look deleted.',
      'Run "git sparse-checkout disable".',
    )
  }
  const head = ensureBranch(layout)
  if (!head.ok) return head
  const operation = openOperation(layout.gitDir)
  if (operation !== null) {
    return refuse(`A ${operation.name} is open in this repository.`, `Finish it, or run "${operation.end}".`)
  }
  const remote = await findRemote(entries, head.value.branch, git)
  if (!remote.ok) return remote
  const configuration = { ...selected, remote: remote.value, ...(await readUserFiles(entries, git, environment)) }
  return ok({ layout, ...head.value, configuration })
}

async function ensureWorkTree(project: string, git: UserGit): Promise<Result<void, Failure>> {
  const top = await git(['rev-parse', '--show-toplevel'])
  if (!top.ok) return whyNoWorkTree(project, git)
  const path = top.value.toString('utf8').replace(/\n$/, '')
  if (realpathOf(path) !== project) {
    return refuse(
      'This directory is not the top of its work tree.',
      `Start in the top: --project-dir ${shellQuote(path)}`,
    )
  }
  return ok(undefined)
}

async function whyNoWorkTree(project: string, git: UserGit): Promise<Result<never, Failure>> {
  const kind = await git(['rev-parse', '--is-bare-repository', '--is-inside-work-tree'])
  if (!kind.ok) {
    if (kind.error.reason !== 'git-failed') return kind
    if (kind.error.stderr.includes('dubious ownership')) {
      return refuse(
        'This repository belongs to another user, so git does not work in it.',
        `If you trust it, run: git config --global --add safe.directory ${shellQuote(project)}`,
      )
    }
    return refuse('This directory is not in a git repository.', 'Run: git init && git add -A && git commit -m "Start"')
  }
  return kind.value.toString('utf8').startsWith('true')
    ? refuse('This is a bare repository: it has no files to work on.', 'Clone it and start in the clone.')
    : refuse('This is the inside of a .git directory.', 'Start in the directory above it.')
}

function ensureBranch(layout: GitLayout): Result<{ branch: string; commit: string }, Failure> {
  const { branch, commit } = readHead(layout)
  if (branch === null) {
    return refuse(
      'HEAD is detached: there is no branch to commit to.',
      'Run "git switch -c NAME" or "git switch BRANCH".',
    )
  }
  if (commit === null) {
    return refuse('This repository has no commit yet.', 'Run: git add -A && git commit -m "Start"')
  }
  return ok({ branch, commit })
}

async function findRemote(
  entries: readonly ConfigEntry[],
  branch: string,
  git: UserGit,
): Promise<Result<UserConfiguration['remote'], Failure>> {
  const name = pushRemote(entries, branch)
  if (name === null) return ok(null)
  const url = await git(['remote', 'get-url', '--push', '--', name])
  return url.ok ? ok({ name, url: url.value.toString('utf8').replace(/\n$/, '') }) : url
}

/** The ignore and attribute files of the user's own configuration, or of the places where git looks without one. */
async function readUserFiles(
  entries: readonly ConfigEntry[],
  git: UserGit,
  environment: Readonly<Record<string, string>>,
): Promise<{ excludes: string; attributes: string }> {
  const home = environment['HOME'] ?? ''
  const configHome = environment['XDG_CONFIG_HOME'] || (home === '' ? '' : join(home, '.config'))
  const read = async (key: string, fallback: string): Promise<string> => {
    let path = configHome === '' ? '' : join(configHome, 'git', fallback)
    if (entries.some((entry) => entry.key === key)) {
      const value = await git(['config', '--type=path', '--get', key], [0, 1])
      path = value.ok ? value.value.toString('utf8').replace(/\n$/, '') : ''
    }
    const real = path === '' ? null : realpathOf(path)
    return (real === null ? null : readRegular(real, maxUserFileBytes))?.toString('base64') ?? ''
  }
  return {
    excludes: await read('core.excludesfile', 'ignore'),
    attributes: await read('core.attributesfile', 'attributes'),
  }
}

/** The user's own dot files are often links. */
function realpathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch (error) {
    codeOf(error)
    return null
  }
}

const refuse = (why: string, fix: string): Result<never, Failure> => err({ reason: 'not-a-repository', why, fix })
