import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '../../src/isolation/isolation.ts'
import { gitProgram } from './repositories.ts'

/** A user with a home, a project with one commit and a state directory, in a temporary place. */
export interface BoxSite {
  readonly root: string
  readonly site: Site
  /** A directory beside the project, for logs and for what no agent may touch. */
  readonly outside: string
  readonly git: (...args: string[]) => string
  readonly remove: () => void
}

export function newBoxSite(more: Partial<Site> = {}): BoxSite {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph box ')))
  const [project, home, outside] = ['project', 'home', 'outside'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  const state = join(root, 'state')
  const given = join(state, 'project-1', 'box', 'given')
  const homes = join(state, 'project-1', 'box', 'homes')
  for (const path of [project, home, outside, given, homes]) mkdirSync(path, { recursive: true })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const git = (...args: string[]): string =>
    execFileSync(gitProgram, args, { cwd: project, env, encoding: 'utf8', stdio: 'pipe', timeout: 20_000 })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(project, 'README.md'), 'A project.\n')
  git('add', '-A')
  git('-c', 'user.name=User', '-c', 'user.email=user@example.org', 'commit', '-q', '-m', 'first')
  return {
    root,
    site: {
      project,
      gitDirs: [join(project, '.git')],
      state,
      given,
      homes,
      pluginDir: null,
      scripts: join(import.meta.dirname, '..', '..', 'scripts'),
      agentDirs: [],
      home,
      env,
      places: { path: env.PATH, forbiddenRoot: project },
      secrets: [],
      ...more,
    },
    outside,
    git,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
