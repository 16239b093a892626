import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { userDirectory } from '../agents/user-directory.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What an agent has instead of the user's own in a box that hides it: an empty directory, but for how it logs in. */
export interface BoxedHome {
  /** By which the agent finds it, when it is made at `path`. */
  variables(path: string): Readonly<Record<string, string>>
  /** The user's files, by where they are in it. */
  readonly links: readonly { readonly at: string; readonly file: string }[]
}

/** Git looks for who commits in these. */
const identities = ['.gitconfig', '.config/git/config']

/** null: nobody knows where it keeps what is the user's. */
export function boxedHome({ userConfig, login }: Agent, env: Environment): BoxedHome | null {
  const home = env['HOME'] ?? ''
  if (userConfig === null || home === '') return null
  const { variable, directory } = userConfig
  const own = userDirectory(userConfig, env) ?? join(home, directory)
  const files = loginFiles(login?.files ?? [])
  const inHome = files.filter((name) => name.startsWith('~/')).map((name) => name.slice(2))
  const inOwn = files.filter((name) => !name.startsWith('~/'))
  if (variable !== null && inHome.length === 0) {
    return {
      variables: (path) => ({ [variable]: path }),
      links: inOwn.map((name) => ({ at: name, file: join(own, name) })),
    }
  }
  return {
    variables: (path) => ({
      HOME: path,
      XDG_CONFIG_HOME: join(path, '.config'),
      XDG_DATA_HOME: join(path, '.local', 'share'),
      XDG_STATE_HOME: join(path, '.local', 'state'),
      ...(variable === null ? {} : { [variable]: join(path, directory) }),
    }),
    links: [
      ...inOwn.map((name) => ({ at: join(directory, name), file: join(own, name) })),
      ...[...inHome, ...identities].map((name) => ({ at: name, file: join(home, name) })),
    ],
  }
}

/** Another program's login is not an agent's to read. */
export const loginFiles = (names: readonly string[]): string[] =>
  names.filter((name) => !name.startsWith('~/.config/gh/'))

/** Puts the links into a directory that is there. What the user has not got is left out. */
export function placeLinks(path: string, { links }: BoxedHome): void {
  for (const { at, file } of links) {
    if (!existsSync(file)) continue
    mkdirSync(dirname(join(path, at)), { recursive: true, mode: 0o700 })
    symlinkSync(file, join(path, at))
  }
}
