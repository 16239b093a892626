import type { Agent } from './agent.ts'
import { claudeLikeFailure } from './claude-like-failure.ts'
import { ClaudeReader } from './claude-stream.ts'
import { claudeTokens } from './claude-usage.ts'
import { option } from './option.ts'

const help = {
  login: 'run `amp login`, or set AMP_API_KEY',
  install: 'install Amp: npm install -g @ampcode/cli',
}

/** Sourcegraph's Amp, which prints as Claude Code does; known from its documents. */
export const amp: Agent = {
  name: 'amp',
  program: 'amp',
  install: help.install,
  reportsCost: false,
  // Its result line has them only sometimes: a limit could not be kept.
  reportsTokens: false,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: true,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: null, directory: '.config/amp', settingsFile: null },
  login: { variables: ['AMP_API_KEY'], files: ['~/.local/share/amp/secrets.json'] },
  // It reads AGENTS.md itself, and has no option against it.
  network: { hosts: ['ampcode.com', '*.ampcode.com'], variables: ['AMP_URL'] },
  instructions: 'own',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs }) => ({
    args: [
      '--dangerously-allow-all',
      '--stream-json',
      // It has modes instead of models.
      ...option('--mode', model),
      '--execute',
      ...extraArgs,
    ],
    env: {},
    stdin: prompt,
  }),
  read: () =>
    new ClaudeReader({
      pluginDir: null,
      failure: (words, exit) => claudeLikeFailure(words, exit, help),
      figures: (result) => ({ costUsd: null, tokens: claudeTokens(result) }),
    }),
}
