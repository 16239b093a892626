import type { AgentHome, SettingsRequest } from './agent.ts'
import { tomlStatements } from './toml-statements.ts'

/** What reaching the model and logging in may need of the user's config.toml; nothing of it runs or allows a tool. */
const loginKeys = [
  'model_provider',
  'model_providers',
  'openai_base_url',
  'chatgpt_base_url',
  'forced_login_method',
  'forced_chatgpt_workspace_id',
]

/** What the user pays for, where no option says otherwise, and whom they let know of it. */
const choiceKeys = [
  'model',
  'model_reasoning_effort',
  'model_reasoning_summary',
  'model_verbosity',
  'model_context_window',
  'model_auto_compact_token_limit',
  'service_tier',
  'analytics',
  'feedback',
]

const taken: ReadonlySet<string> = new Set([...loginKeys, ...choiceKeys])

/** In a file and not as options: a codex that does not know one of them says so and goes on. */
const ours = `# A keyring has the login under the name of the user's own directory: from here only the file is found.
cli_auth_credentials_store = "file"
`

const ourTables = `[features]
# Without a network it would wait for ever.
unbounded_connection_retries = false
# What the user's account brings along: connectors to their mail and files, plugins with tools and hooks.
apps = false
plugins = false
remote_plugin = false
hooks = false
# What would be installed because a text asks for it.
skill_mcp_dependency_install = false
tool_suggest = false
# What outlives the iteration.
memories = false
goals = false
daemon_auto_start = false

[tools.update_plan]
enabled = true

[skills]
include_instructions = false

[skills.bundled]
enabled = false
`

/**
 * The directory that codex has instead of the user's. By itself it trusts a project in which it may write, and then starts
 * what the project's `.codex/` names, outside of its sandbox.
 */
export function codexHome({ projectDir, userSettings }: SettingsRequest): AgentHome {
  const kept = tomlStatements(userSettings ?? '').filter(({ key }) => taken.has(key))
  const values = kept.filter(({ isTable }) => !isTable)
  const tables = kept.filter(({ isTable }) => isTable)
  const parts = [
    values.map(({ text }) => `${text}\n`).join('') + ours,
    ...tables.map(({ text }) => `${text}\n`),
    ourTables,
    `[projects.${tomlString(projectDir)}]\ntrust_level = "untrusted"\n`,
  ]
  return {
    variable: 'CODEX_HOME',
    files: { 'config.toml': parts.join('\n') },
    instructions: 'AGENTS.md',
    credentials: ['auth.json'],
  }
}

/** JSON's escapes are TOML's too, but for one sign that TOML does not take as it is. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`)
