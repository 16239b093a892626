import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { builtAgents } from '../agents/registry.ts'
import { userDirectory } from '../agents/user-directory.ts'
import { loginFiles as usableLogins } from './boxed-home.ts'
import type { FoundAgent } from './run-agents.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the user's own configuration, conversations and logins of all agents are. */
export const agentDirectories = (env: Environment): string[] =>
  builtAgents.flatMap((agent) => {
    const directory = agent.userConfig === null ? null : userDirectory(agent.userConfig, env)
    const ofLogins = loginFiles(agent, env).map((path) => dirname(path))
    return ofLogins.concat(directory ?? [])
  })

/** The files that an agent logs in with, whether they are there or not. */
function loginFiles({ login, userConfig }: Agent, env: Environment): string[] {
  const home = env['HOME'] ?? ''
  const directory = userConfig === null ? null : userDirectory(userConfig, env)
  return usableLogins(login?.files ?? []).flatMap((name) => {
    if (name.startsWith('~/')) return home === '' ? [] : [join(home, name.slice(2))]
    return directory === null ? [] : [join(directory, name)]
  })
}

/**
 * What the agents of a run must be able to read of all that is hidden: how they log in, where their programs are, and who
 * commits.
 */
export function readableFor(agents: readonly FoundAgent[], env: Environment): string[] {
  const logins = agents.flatMap(({ agent }) => loginFiles(agent, env))
  const programs = agents.map(({ program: [program] }) => program).filter((program) => existsSync(program))
  const directories = programs.flatMap((program) => [dirname(program), ownDirectory(realpathSync(program))])
  const all = [...logins, ...directories, env['GIT_CONFIG_GLOBAL'] ?? '']
  return [...new Set(all)].filter((path) => existsSync(path))
}

/** Where all of a program is: one from npm needs the packages beside its own. */
function ownDirectory(program: string): string {
  const modules = '/node_modules/'
  const at = program.indexOf(modules)
  return at === -1 ? dirname(program) : program.slice(0, at + modules.length - 1)
}
