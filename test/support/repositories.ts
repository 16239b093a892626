import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openReferee, type OpenRequest } from '../../src/git/open-referee.ts'
import type { ObserveRequest, RepositoryView } from '../../src/git/observe.ts'
import type { Referee } from '../../src/git/referee.ts'
import type { Result } from '../../src/base/result.ts'
import type { Failure } from '../../src/model/failure.ts'

export const gitProgram = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git'].find(existsSync) ?? 'git'
export const runId = '20260101-120000-0a1b2c3d'

/** A temporary place with a project, a state directory and a file outside that no attack may touch. */
export class Lab {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'ralph git ')))
  readonly project: string
  readonly stateDir = join(this.root, 'state')
  /** Appears when something planted has run. */
  readonly canary = join(this.root, 'canary')
  readonly globalConfig = join(this.root, 'gitconfig')
  readonly environment: Record<string, string>

  constructor(name = 'project') {
    this.project = join(this.root, name)
    mkdirSync(this.project)
    writeFileSync(
      this.globalConfig,
      '[user]\n\tname = User\n\temail = user@example.org\n[init]\n\tdefaultBranch = main\n',
    )
    mkdirSync(join(this.root, 'home'))
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(this.root, 'home'),
      GIT_CONFIG_GLOBAL: this.globalConfig,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ALLOW_PROTOCOL: 'file:ext',
    }
  }

  /** Plain git, as the user or the agent calls it in the project. */
  git(...args: string[]): string {
    return this.gitIn(this.project, ...args)
  }

  gitIn(directory: string, ...args: string[]): string {
    return execFileSync(gitProgram, args, {
      cwd: directory,
      env: this.environment,
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: 20_000,
    })
  }

  /** Plain git whose failure is of no interest: only what it ran. */
  tryGit(...args: string[]): void {
    try {
      this.git(...args)
    } catch (error) {
      if (!(error instanceof Error && 'status' in error)) throw error
    }
  }

  /** Writes a file of the project, or anything by an absolute path. */
  write(path: string, content: string | Buffer, mode?: number): string {
    const full = path.startsWith('/') ? path : join(this.project, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content, mode === undefined ? {} : { mode })
    return full
  }

  /** A program that leaves the canary, whatever it was called for. It reads nothing, so nobody waits for it. */
  trap(name = 'trap'): string {
    return this.write(join(this.root, name), `#!/bin/sh\ntouch '${this.canary}'\nexit 1\n`, 0o755)
  }

  /** The counter-proof: the attack works on plain git. Clears the canary again. */
  sprang(): boolean {
    const sprang = existsSync(this.canary)
    rmSync(this.canary, { force: true })
    return sprang
  }

  commit(message = 'work'): string {
    this.git('add', '-A')
    this.git('commit', '-q', '-m', message)
    return this.git('rev-parse', 'HEAD').trim()
  }

  /** A repository on `main` with one commit of these files. */
  start(files: Record<string, string> = { 'README.md': 'hello\n', 'src/a.txt': 'a\n' }, ...init: string[]): string {
    this.git('init', '-q', '-b', 'main', ...init)
    for (const [path, content] of Object.entries(files)) this.write(path, content)
    return this.commit('start')
  }

  open(over: Partial<OpenRequest> = {}): Promise<Result<Referee, Failure>> {
    return openReferee({
      project: this.project,
      stateDir: this.stateDir,
      git: gitProgram,
      runId,
      environment: this.environment,
      ignore: ['.ralph-active', '.ralph/guardrail_*'],
      ...over,
    })
  }

  /** The referee, and the snapshot before the first agent. */
  async begin(over: Partial<OpenRequest> = {}, request: Partial<ObserveRequest> = {}): Promise<Begun> {
    const referee = value(await this.open(over))
    const view = value(await referee.observe({ iteration: 1, base: null, ...request }))
    const base = { commit: view.head ?? '', tree: view.tree }
    return {
      referee,
      view,
      base,
      look: async (more = {}) => value(await referee.observe({ iteration: 1, base, ...request, ...more })),
    }
  }

  /** git in the referee's own repository, for tests that look or meddle there. */
  refereeGit(...args: string[]): string {
    const env = { ...this.environment, GIT_INDEX_FILE: join(this.stateDir, 'index') }
    const where = [`--git-dir=${this.stateDir}/referee.git`, `--work-tree=${this.project}`]
    return execFileSync(gitProgram, [...where, ...args], { cwd: this.stateDir, env, encoding: 'utf8', stdio: 'pipe' })
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

export interface Begun {
  readonly referee: Referee
  readonly view: RepositoryView
  readonly base: { readonly commit: string; readonly tree: string }
  readonly look: (more?: Partial<ObserveRequest>) => Promise<RepositoryView>
}

/** The value of a result that must be there. */
export function value<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`unexpected failure: ${JSON.stringify(result.error)}`)
  return result.value
}

export function failure<E>(result: Result<unknown, E>): E {
  if (result.ok) throw new Error('a failure was expected')
  return result.error
}

/** Whether a name is there, be it a link to nowhere. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
