import { isAbsolute } from 'node:path'
import { findProject } from '../doctor/find-project.ts'
import { findLayout } from '../git/git-layout.ts'
import type { Place } from '../guard/place.ts'
import { peopleFiles } from '../model/is-people-only.ts'
import { seenDisk } from '../store/seen-disk.ts'
import { stateRootIn } from '../store/state-path.ts'
import { installationRoot } from './installation.ts'
import { userHome } from './user-home.ts'

/** The place that an agent of a loop would be in: the project around a directory, or else the directory itself. */
export function guardPlace(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
  ralphDir: string,
): Place {
  const disk = seenDisk(() => peopleFiles(ralphDir).flatMap((file) => projects.map((project) => `${project}/${file}`)))
  const home = disk.real(userHome(env) || '/')
  const cwd = disk.real(directory)
  const project = findProject(cwd, home) ?? cwd
  // Nothing is outside of a project that holds everything.
  const projects = `${home}/`.startsWith(project === '/' ? '/' : `${project}/`) ? [] : [project]
  const layouts = projects.flatMap((root) => findLayout(root) ?? [])
  const own = installationRoot()
  return {
    cwd,
    home,
    variables: env,
    projects,
    ralphDirs: [ralphDir],
    claudeDirs: [env['CLAUDE_CONFIG_DIR'] ?? ''].filter(isAbsolute),
    gitDirs: [
      ...projects.map((root) => `${root}/.git`),
      ...layouts.flatMap(({ gitDir, commonDir }) => [gitDir, commonDir]),
    ],
    plugin: projects.some((root) => `${root}/`.startsWith(`${own}/`)) ? null : own,
    state: [stateRootIn(env, home)],
    disk,
  }
}
