import { describe, expect, it } from 'vitest'
import { claudeSettings } from '../../../src/agents/claude-settings.ts'

describe('claudeSettings', () => {
  it('keeps hooks and our plugin on, and says nothing else', () => {
    expect(claudeSettings({ pluginDir: '/opt/ralph', userSettings: null })).toBe(
      '{\n  "disableAllHooks": false,\n  "enabledPlugins": {\n    "ralph@inline": true\n  }\n}\n',
    )
  })

  it('names no plugin where the installation has none', () => {
    expect(JSON.parse(claudeSettings({ pluginDir: null, userSettings: null }))).toEqual({ disableAllHooks: false })
  })

  it("takes over the user's way to log in and choice of model, and nothing that runs or allows anything", () => {
    const userSettings = {
      apiKeyHelper: '/usr/local/bin/key',
      awsAuthRefresh: 'aws sso login',
      hooks: { Stop: [] },
      permissions: { allow: ['Bash'] },
      disableAllHooks: true,
      enabledPlugins: { 'ralph@inline': false },
      env: { AWS_REGION: 'eu-central-1', RALPH_RUN_ID: 'forged', CLAUDE_CODE_DISABLE_AUTO_MEMORY: '0' },
      model: 'opus',
      effortLevel: 'high',
    }
    expect(JSON.parse(claudeSettings({ pluginDir: '/opt/ralph', userSettings }))).toEqual({
      disableAllHooks: false,
      enabledPlugins: { 'ralph@inline': true },
      apiKeyHelper: '/usr/local/bin/key',
      awsAuthRefresh: 'aws sso login',
      model: 'opus',
      effortLevel: 'high',
      env: { AWS_REGION: 'eu-central-1' },
    })
  })

  it("leaves out the programs of the user's machine where the agent runs on another one", () => {
    const userSettings = { apiKeyHelper: '/usr/local/bin/key', forceLoginMethod: 'console', model: 'opus' }
    expect(JSON.parse(claudeSettings({ pluginDir: null, userSettings, elsewhere: true }))).toEqual({
      disableAllHooks: false,
      forceLoginMethod: 'console',
      model: 'opus',
    })
  })

  it('is not disturbed by an env that is none', () => {
    expect(JSON.parse(claudeSettings({ pluginDir: null, userSettings: { env: 'x' } }))).toEqual({
      disableAllHooks: false,
    })
  })
})
