import { dirname } from 'node:path'
import { findLayout } from '../git/git-layout.ts'
import type { Site } from '../isolation/isolation.ts'
import { agentDirectories } from './agent-directories.ts'
import { pluginDirectory, scriptsDirectory } from './installation-files.ts'
import type { Project } from './project.ts'
import { userHome } from './user-home.ts'

/** What a box must know of a project and its user. */
export function siteOf(project: Project, env: Site['env'], secrets: readonly string[]): Site {
  const layout = findLayout(project.root)
  return {
    project: project.root,
    gitDirs: layout === null ? [] : [...new Set([layout.gitDir, layout.commonDir])],
    state: dirname(project.state.directory),
    given: project.state.given,
    homes: project.state.homes,
    pluginDir: pluginDirectory(),
    scripts: scriptsDirectory(),
    agentDirs: agentDirectories(env),
    home: userHome(env),
    env,
    places: { path: env['PATH'] ?? '', forbiddenRoot: project.root },
    secrets,
  }
}
