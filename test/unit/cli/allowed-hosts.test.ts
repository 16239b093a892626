import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/agents/claude.ts'
import { allowedHosts, type NetworkRequest } from '../../../src/cli/allowed-hosts.ts'

const request: NetworkRequest = {
  network: 'agent',
  allowHosts: [],
  agents: [{ hosts: ['api.example.com'], variables: ['API_URL'] }],
  env: {},
  remote: 'git@git.example.org:team/project.git',
}
const hosts = (more: Partial<NetworkRequest>) => allowedHosts({ ...request, ...more })

describe('the hosts that a box may reach', () => {
  it('are any where the network is open', () => {
    expect(hosts({ network: 'open', allowHosts: ['x.example.com'] })).toBeNull()
  })

  it('are those of the agents and those that the user adds, each once', () => {
    expect(hosts({ allowHosts: ['*.example.net', 'api.example.com'] })).toEqual(['api.example.com', '*.example.net'])
  })

  it.each([
    ['https://proxy.example.com:8443/v1', 'proxy.example.com'],
    ['http://127.0.0.1:3000', '127.0.0.1'],
    ['http://[::1]:3000', '[::1]'],
  ])('follow an agent to the address %s', (address, host) => {
    expect(hosts({ env: { API_URL: address } })).toEqual(['api.example.com', host])
  })

  it.each(['', 'not an address', 'https://', '/a/path'])('have nothing of the address "%s"', (address) => {
    expect(hosts({ env: { API_URL: address } })).toEqual(['api.example.com'])
  })

  it.each([
    ['git@git.example.org:team/project.git', 'git.example.org'],
    ['ssh://git@git.example.org:2222/team/project', 'git.example.org'],
    ['https://user:key@GIT.example.org/project', 'git.example.org'],
    ['git.example.org:project', 'git.example.org'],
  ])('with registries have those, and the git host of %s', (remote, host) => {
    const found = hosts({ network: 'registries', remote })
    expect(found).toContain('registry.npmjs.org')
    expect(found).toContain('pypi.org')
    expect(found?.at(-1)).toBe(host)
  })

  it.each(['/srv/git/project.git', '../elsewhere', 'C:\\git\\project', 'file:///srv/git', null])(
    'have no git host where the remote is %s',
    (remote) => {
      expect(hosts({ network: 'registries', remote })).toEqual(hosts({ network: 'registries', remote: null }))
    },
  )

  it("with registries have the user's own", () => {
    const env = { npm_config_registry: 'https://npm.example.com/', GOPROXY: 'https://go.example.com|direct' }
    expect(hosts({ network: 'registries', env })).toEqual(expect.arrayContaining(['npm.example.com', 'go.example.com']))
    expect(hosts({ network: 'agent', env })).toEqual(['api.example.com'])
  })

  it('have what Claude Code needs', () => {
    expect(hosts({ agents: [claude.network] })).toContain('api.anthropic.com')
  })
})
