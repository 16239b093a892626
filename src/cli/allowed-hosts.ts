import type { AgentNetwork } from '../agents/agent.ts'

export interface NetworkRequest {
  readonly network: 'agent' | 'registries' | 'open'
  readonly allowHosts: readonly string[]
  readonly agents: readonly AgentNetwork[]
  /** The user's. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the project's remote is, as git names it; null if it has none. */
  readonly remote: string | null
}

/** Where packages come from, by the tools that people have their checks run. */
const registries =
  'registry.npmjs.org registry.yarnpkg.com npm.jsr.io jsr.io deno.land pypi.org files.pythonhosted.org crates.io static.crates.io '
    .concat(
      'index.crates.io proxy.golang.org sum.golang.org rubygems.org index.rubygems.org repo.maven.apache.org repo1.maven.org ',
    )
    .concat('plugins.gradle.org services.gradle.org api.nuget.org repo.packagist.org packagist.org hex.pm repo.hex.pm')
    .split(' ')

/** Variables by which people name a registry of their own. */
const registryVariables = ['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'PIP_INDEX_URL', 'UV_INDEX_URL', 'GOPROXY']

/** The hosts that may be reached from a box; null: any. */
export function allowedHosts({ network, allowHosts, agents, env, remote }: NetworkRequest): string[] | null {
  if (network === 'open') return null
  const named = (variables: readonly string[]): (string | null)[] =>
    variables.flatMap((name) => (env[name] ?? '').split(/[,|]/).map(hostOf))
  const own = agents.flatMap(({ hosts, variables }) => [...hosts, ...named(variables)])
  const packages = network === 'agent' ? [] : [...registries, ...named(registryVariables), hostOf(remote ?? '')]
  return [...new Set([...own, ...packages, ...allowHosts])].filter((host) => host !== null)
}

/** Of `https://host/…` and `git@host:path`; null for a path, or what is no host. */
function hostOf(address: string): string | null {
  const text = address.trim()
  if (text.includes('://')) return URL.canParse(text) ? plainHost(new URL(text).hostname) : null
  const [, host] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)/.exec(text) ?? []
  // `C:\x` is no host.
  return host === undefined || host.length === 1 ? null : plainHost(host)
}

const plainHost = (host: string): string | null => (host === '' ? null : host.toLowerCase())
