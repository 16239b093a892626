import type { Agent } from './agent.ts'
import { claudeDialect, ClaudeReader } from './claude-stream.ts'

/** The demo's agent: Ralph itself plays it, from a script, and speaks as Claude Code does. */
export const script: Agent = {
  name: 'script',
  program: null,
  install: 'it comes with Ralph',
  reportsCost: true,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: 'user',
  experimental: false,
  versionArgs: null,
  badVersion: () => null,
  userConfig: null,
  login: null,
  network: { hosts: [], variables: [] },
  instructions: 'own',
  settings: () => null,
  home: () => null,
  command: ({ prompt, extraArgs }) => ({ args: ['demo', '--act', ...extraArgs], env: {}, stdin: prompt }),
  read: () => new ClaudeReader(claudeDialect(null)),
}
