import type { AgentHome, SettingsRequest } from './agent.ts'

/** The directory that codex has instead of `~/.codex`. */
export function codexHome({ projectDir }: SettingsRequest): AgentHome {
  return {
    variable: 'CODEX_HOME',
    files: { 'config.toml': `[projects.${JSON.stringify(projectDir)}]\ntrust_level = "untrusted"\n` },
    instructions: 'AGENTS.md',
    credentials: ['auth.json'],
  }
}
