import { join } from 'node:path'
import { steeringPaths } from '../../model/steering-paths.ts'
import type { Opening, Site } from '../isolation.ts'
import type { GitGuards } from './git-guards.ts'
import { editorsInProject, privateInHome, privateOnMachine } from './private-paths.ts'

/** What sandbox-runtime is told of files. Without an entry everything may be read and nothing may be written. */
export interface FilePolicy {
  readonly denyRead: readonly string[]
  readonly allowRead: readonly string[]
  readonly allowWrite: readonly string[]
  readonly denyWrite: readonly string[]
}

export interface NetworkPolicy {
  readonly allowedDomains: readonly string[]
  readonly deniedDomains: readonly string[]
}

/** The directories that a box makes for itself. */
export interface BoxPlaces {
  /** The agent's temporary files and caches: it writes there. */
  readonly scratch: string
  /** The sockets to the proxies: it must find them. */
  readonly net: string
}

export interface PolicyRequest {
  readonly site: Pick<Site, 'project' | 'state' | 'given' | 'homes' | 'pluginDir' | 'agentDirs'>
  readonly readable: Opening['readable']
  readonly places: BoxPlaces
  readonly git: GitGuards
  /** Where private things are looked for: the user's home, for root everybody's. */
  readonly userHomes: readonly string[]
  readonly platform: NodeJS.Platform
  /** Where sandbox-runtime itself and node are. */
  readonly programs: readonly string[]
}

/** Later rules of sandbox-runtime are stronger: reading is allowed, denied, allowed again; writing denied, allowed, denied again. */
export function filePolicy(request: PolicyRequest): FilePolicy {
  const { site, places, git, userHomes, platform } = request
  const { project, state, given, homes, pluginDir, agentDirs } = site
  return {
    denyRead: [
      ...userHomes.flatMap((home) => privateInHome.map((path) => join(home, path))),
      ...privateOnMachine,
      state,
      ...agentDirs,
      // Other people's files and sockets; the box has an empty one instead.
      ...(platform === 'linux' ? ['/tmp'] : []),
    ],
    allowRead: [
      given,
      places.net,
      ...request.programs,
      ...request.readable,
      ...(pluginDir === null ? [] : [pluginDir]),
    ],
    allowWrite: [project, ...git.writable, homes, places.scratch],
    denyWrite: [
      ...git.protected,
      ...[...steeringPaths, ...editorsInProject].map((path) => join(project, path)),
      // sandbox-runtime would let everybody's boxes write it.
      '/tmp/claude',
      ...(pluginDir === null ? [] : [pluginDir]),
    ],
  }
}

/** `null` for the hosts is any: then sandbox-runtime asks about each, and is told yes. */
export const networkPolicy = (hosts: Opening['hosts']): NetworkPolicy => ({
  allowedDomains: [...(hosts ?? [])],
  deniedDomains: [],
})

const loopback = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

/**
 * What is reached without the proxy: servers of the agent's own, inside the box. Where one of the machine's is allowed nothing
 * is, since both have the same name. sandbox-runtime also exempts private networks, to which there is no other way.
 */
export function withoutProxy(hosts: Opening['hosts']): string {
  const isOutside = hosts?.some((host) => loopback.has(host.replace(/(?<=[^:]):\d+$/, ''))) === true
  return isOutside ? '' : 'localhost,127.0.0.1,::1'
}
