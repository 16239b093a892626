import { isObject, type JsonObject } from '../base/json.ts'

/** What logging in may need of the user's settings; nothing of it runs at a tool call or allows one. */
const loginKeys = ['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'forceLoginMethod']

/** Those of them that are no program of the user's machine. */
const portableKeys = ['forceLoginMethod']

/** What the user pays for, where no option says otherwise. */
const choiceKeys = ['model', 'effortLevel']

/**
 * The settings that Claude Code runs with instead of those of the project and the user: our plugin is on, whatever an agent
 * has written elsewhere. Without the user's way to log in (a key helper, the variables of a cloud) it could not start, and
 * without their choice of a model it would take the dearest.
 */
export function claudeSettings({
  pluginDir,
  userSettings,
  elsewhere = false,
}: {
  readonly pluginDir: string | null
  readonly userSettings: JsonObject | null
  /** On another machine the login is that machine's. */
  readonly elsewhere?: boolean
}): string {
  const settings: JsonObject = { disableAllHooks: false }
  if (pluginDir !== null) settings['enabledPlugins'] = { 'ralph@inline': true }
  for (const key of [...(elsewhere ? portableKeys : loginKeys), ...choiceKeys]) {
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

/** For a run without a person, in which nothing may speak to the agent but the prompt. */
export const claudeEnvironment: Readonly<Record<string, string>> = {
  // What an earlier agent wrote for itself.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  // The last commit messages, which it would give as a word of the user's.
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
  // Files whose name stands after an @ anywhere in the prompt, also in a quoted diff; and what other words there set off.
  CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
  // The names of tools that are to be searched for would come as an attachment.
  ENABLE_TOOL_SEARCH: 'false',
  // The same program from start to end.
  DISABLE_AUTOUPDATER: '1',
}
