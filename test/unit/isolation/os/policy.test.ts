import { describe, expect, it } from 'vitest'
import { gitGuards } from '../../../../src/isolation/os/git-guards.ts'
import { filePolicy, withoutProxy } from '../../../../src/isolation/os/policy.ts'

const policy = (platform: NodeJS.Platform = 'linux') =>
  filePolicy({
    site: {
      project: '/p',
      state: '/s',
      given: '/s/box/given',
      homes: '/s/box/homes',
      pluginDir: '/plugin',
      agentDirs: ['/h/.claude'],
    },
    readable: ['/h/.claude/.credentials.json'],
    places: { scratch: '/tmp/b/scratch', net: '/tmp/b/net' },
    git: gitGuards('/p', ['/p/.git'], []),
    userHomes: ['/h'],
    platform,
    programs: ['/srt'],
  })

describe('the policy for files', () => {
  it('lets the agent write the project, its own home and its temporary files, and nothing else', () => {
    expect(policy().allowWrite).toEqual(['/p', '/p/.git', '/p/.git/refs', '/s/box/homes', '/tmp/b/scratch'])
  })

  it('hides the state, but for what is given, and the configuration of agents, but for the login', () => {
    expect(policy().denyRead).toEqual(expect.arrayContaining(['/s', '/h/.claude']))
    expect(policy().allowRead).toEqual(expect.arrayContaining(['/s/box/given', '/h/.claude/.credentials.json']))
  })

  it.each(
    '.ssh .aws .config/gcloud .azure .kube .docker/config.json .netrc .npmrc .pypirc .gnupg .config/gh .bash_history'.split(
      ' ',
    ),
  )('hides ~/%s', (name) => expect(policy().denyRead).toContain(`/h/${name}`))

  it('keeps from being written what runs on the host: git, agents, editors, the plugin', () => {
    expect(policy().denyWrite).toEqual(
      expect.arrayContaining(['/p/.git/hooks', '/p/.claude/settings.json', '/p/.mcp.json', '/p/.vscode', '/plugin']),
    )
  })

  it('gives a /tmp of its own where the system can', () => {
    expect(policy().denyRead).toContain('/tmp')
    expect(policy('darwin').denyRead).not.toContain('/tmp')
  })
})

describe('what is reached without the proxy', () => {
  it('is the box itself', () => expect(withoutProxy(['example.org'])).toBe('localhost,127.0.0.1,::1'))
  it('is nothing where the machine may be reached by the same name', () => {
    for (const host of ['127.0.0.1', 'localhost', 'localhost:8080', '::1']) expect(withoutProxy([host])).toBe('')
  })
  it('is the box itself where everything may be reached', () => expect(withoutProxy(null)).toContain('localhost'))
})
