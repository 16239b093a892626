import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Agent, AgentHome, UserConfig } from '../agents/agent.ts'
import { userDirectory } from '../agents/user-directory.ts'
import { ok, type Result } from '../base/result.ts'
import type { Failure } from '../model/failure.ts'
import { attempt } from '../store/attempt.ts'
import { boxedHome, placeLinks, type BoxedHome } from './boxed-home.ts'
import { makeFreshDirectory, removeDirectory } from '../store/fresh-directory.ts'
import { makePrivateDirectory } from '../store/private-directory.ts'
import { realPath } from '../store/real-path.ts'
import { readSmall } from '../store/read-small.ts'
import { replaceFile } from '../store/replace-file.ts'
import { writeNewFile } from '../store/write-new-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What an agent is configured with in this run: made from the user's own as it is now, kept where no agent writes. */
export interface AgentConfiguration {
  /** Writes its settings anew, since the last agent may have reached them, and says where they are. */
  placeSettings(): Result<string | null, Failure>
  /** Makes the directory that one start has instead of the user's, and says by which variables it is found. */
  openHome(instructionsFile: string | null): Result<Readonly<Record<string, string>>, Failure>
  /** Takes it away again. */
  closeHome(): Result<void, Failure>
}

export function configureAgent(
  agent: Agent,
  {
    directories,
    pluginDir,
    project,
    env,
    hidesHome,
    elsewhere = false,
  }: {
    /** Of the runner's, for this agent: what it reads, and what it has instead of the user's own. */
    readonly directories: { readonly given: string; readonly home: string }
    readonly pluginDir: string | null
    readonly project: string
    readonly env: Environment
    /** A box keeps the user's own directories from it, so it gets one of the runner's in any case. */
    readonly hidesHome: boolean
    /** It runs on another machine, which has none of the user's files: the login is copied to it. */
    readonly elsewhere?: boolean
  },
): Result<AgentConfiguration, Failure> {
  const made = makePrivateDirectory(directories.given)
  if (!made.ok) return made
  const user = agent.userConfig === null ? null : userDirectory(agent.userConfig, env)
  const request = { pluginDir, projectDir: project, userSettings: settingsIn(user, agent.userConfig), elsewhere }
  const settings = agent.settings(request)
  const home = agent.home(request)
  const boxed = hidesHome && home === null ? boxedHome(agent, env) : null
  const path = directories.home
  return ok({
    placeSettings: () => {
      if (settings === null) return ok(null)
      const file = join(directories.given, settings.fileName)
      const written = replaceFile(file, Buffer.from(settings.text))
      return written.ok ? ok(file) : written
    },
    openHome: (instructionsFile) => {
      if (home !== null) return openHome({ home, path, user, instructionsFile, elsewhere })
      return boxed === null ? ok({}) : openBoxedHome(boxed, path)
    },
    closeHome: () => (home === null && boxed === null ? ok(undefined) : removeDirectory(path)),
  })
}

function settingsIn(user: string | null, config: UserConfig | null): string | null {
  const file = config?.settingsFile ?? null
  if (user === null || file === null) return null
  // The user's own, so a link of theirs (to a directory of all such files) is followed.
  const path = realPath(join(user, file))
  const seen = path === null ? null : readSmall(dirname(path), basename(path))
  return seen?.kind === 'text' ? seen.text : null
}

function openBoxedHome(home: BoxedHome, path: string): Result<Readonly<Record<string, string>>, Failure> {
  const made = makeFreshDirectory(path)
  if (!made.ok) return made
  return attempt('write', path, () => {
    placeLinks(path, home)
    return home.variables(path)
  })
}

function openHome({
  home,
  path,
  user,
  instructionsFile,
  elsewhere,
}: {
  readonly home: AgentHome
  readonly path: string
  readonly user: string | null
  readonly instructionsFile: string | null
  readonly elsewhere: boolean
}): Result<Readonly<Record<string, string>>, Failure> {
  const made = makeFreshDirectory(path)
  if (!made.ok) return made
  return attempt('write', path, () => {
    for (const [name, text] of Object.entries(home.files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true, mode: 0o700 })
      writeNewFile(join(path, name), Buffer.from(text), 0o600, 'unsynced')
    }
    if (home.instructions !== null && instructionsFile !== null && existsSync(instructionsFile)) {
      copyFileSync(instructionsFile, join(path, home.instructions))
    }
    for (const name of home.credentials) {
      if (user === null) continue
      if (!elsewhere) symlinkSync(join(user, name), join(path, name))
      else if (existsSync(join(user, name))) copyFileSync(join(user, name), join(path, name))
    }
    return { [home.variable]: path }
  })
}
