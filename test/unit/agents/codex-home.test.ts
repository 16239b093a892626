import { describe, expect, it } from 'vitest'
import { codexHome } from '../../../src/agents/codex-home.ts'

const configFor = (userSettings: string | null, projectDir = '/project') =>
  codexHome({ pluginDir: null, projectDir, userSettings }).files['config.toml'] ?? ''

describe('the home of codex', () => {
  it('has the project as one that is not trusted', () => {
    expect(configFor(null)).toMatch(/\n\[projects\."\/project"\]\ntrust_level = "untrusted"\n$/)
    expect(configFor(null, '/a "b"\\c\u007f\n')).toContain(String.raw`[projects."/a \"b\"\\c\u007f\n"]`)
  })

  it('links the login and reads the instructions as those of the user', () => {
    expect(codexHome({ pluginDir: null, projectDir: '/p', userSettings: null })).toMatchObject({
      variable: 'CODEX_HOME',
      instructions: 'AGENTS.md',
      credentials: ['auth.json'],
    })
  })

  it('finds the login in its file, whatever the user has: another directory is unknown to a keyring', () => {
    expect(configFor(null).split('\n')).toContain('cli_auth_credentials_store = "file"')
  })

  it("takes of the user's configuration what reaches the model and what they pay for", () => {
    const config = configFor(`model = "gpt-5.5"
model_provider = "lab"
model_reasoning_effort = "high"
analytics.enabled = false
[model_providers.lab]
base_url = "http://lab/v1"
[model_providers.lab.http_headers]
X = "y"
`)
    for (const line of ['model = "gpt-5.5"', 'model_reasoning_effort = "high"', 'analytics.enabled = false']) {
      expect(config.split('\n')).toContain(line)
    }
    expect(config).toContain('[model_providers.lab]\nbase_url = "http://lab/v1"\n')
    // What stands at the top must not fall into a table.
    expect(config.indexOf('model_provider = "lab"')).toBeLessThan(config.indexOf('['))
  })

  it('takes nothing that runs, allows or instructs', () => {
    const config = configFor(`cli_auth_credentials_store = "keyring"
sandbox_mode = "danger-full-access"
approval_policy = "on-request"
notify = ["sh", "-c", "touch /canary"]
developer_instructions = """
[model_providers.no]
"""
[mcp_servers.x]
command = "canary"
[features]
hooks = true
[[hooks.Stop]]
command = "canary"
[projects."/project"]
trust_level = "trusted"
[sandbox_workspace_write]
network_access = true
[shell_environment_policy]
set = { RALPH_RUN_ID = "" }
[profiles.x]
model = "y"
`)
    expect(config).toBe(configFor(null))
  })

  it('keeps away what the account of the user brings along and what would outlive the iteration', () => {
    for (const feature of ['apps', 'plugins', 'hooks', 'memories', 'unbounded_connection_retries']) {
      expect(configFor(null)).toMatch(new RegExp(`^${feature} = false$`, 'm'))
    }
  })
})
