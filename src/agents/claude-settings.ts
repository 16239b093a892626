import { isObject, type JsonObject } from '../base/json.ts'
import type { SettingsRequest } from './agent.ts'

/** What logging in may need of the user's settings; nothing of it runs at a tool call or allows one. */
const loginKeys = ['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'forceLoginMethod']

/**
 * The settings that Claude Code runs with instead of those of the project and the user: our plugin is on, whatever an agent
 * has written elsewhere. Without the user's way to log in (a key helper, the variables of a cloud) it could not start.
 */
export function claudeSettings({ pluginDir, userSettings }: Omit<SettingsRequest, 'projectDir'>): string {
  const settings: JsonObject = { disableAllHooks: false }
  if (pluginDir !== null) settings['enabledPlugins'] = { 'ralph@inline': true }
  for (const key of loginKeys) {
    const value = userSettings?.[key]
    if (value !== undefined) settings[key] = value
  }
  const env = userSettings?.['env']
  if (isObject(env)) settings['env'] = withoutOurs(env)
  return `${JSON.stringify(settings, null, 2)}\n`
}

/** Variables in settings win over the environment, and these are the runner's to set. */
function withoutOurs(env: JsonObject): JsonObject {
  const isOurs = (name: string): boolean => name.startsWith('RALPH_') || Object.hasOwn(claudeEnvironment, name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}

/** For a run without a person: no memory that an earlier agent wrote, and the same program from start to end. */
export const claudeEnvironment: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  DISABLE_AUTOUPDATER: '1',
}
