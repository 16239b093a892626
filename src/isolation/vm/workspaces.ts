import { dirname, join, sep } from 'node:path'
import type { Site } from '../isolation.ts'
import type { VmCli } from './vm-cli.ts'

/** Where the login of a project's agents is kept, if the box cannot keep it. */
export const authDirectory = ({ homes }: Site): string => join(dirname(homes), 'auth')

/** Git directories that lie elsewhere: a linked work tree has its history there. */
export const outerGitDirs = ({ project, gitDirs }: Site): string[] =>
  gitDirs.filter(
    (path, _, all) => !isWithin(path, project) && !all.some((other) => other !== path && isWithin(path, other)),
  )

/** What a box sees of this machine, at the same paths; the project comes first. */
export function workspacesOf(site: Site, { keepsLogin }: Pick<VmCli, 'keepsLogin'>): string[] {
  const { project, pluginDir, given, homes } = site
  return [
    project,
    ...(pluginDir === null ? [] : [`${pluginDir}:ro`]),
    `${given}:ro`,
    homes,
    ...(keepsLogin ? [authDirectory(site)] : []),
    ...outerGitDirs(site),
  ]
}

/** A path that the command line would take for something else; null if there is none. */
export const unmountable = (workspaces: readonly string[]): string | null =>
  workspaces.find((path) => /:(?:ro|rw)$/.test(path.replace(/:ro$/, ''))) ?? null

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(root + sep)
