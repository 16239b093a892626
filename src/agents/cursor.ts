import type { Agent } from './agent.ts'
import { CursorReader } from './cursor-stream.ts'
import { option } from './option.ts'

const help = {
  login: 'run `cursor-agent login`, or set CURSOR_API_KEY',
  install: 'install the Cursor CLI: curl https://cursor.com/install -fsS | bash',
}

/** Cursor's agent on the command line; known from its documents. */
export const cursor: Agent = {
  name: 'cursor',
  program: 'cursor-agent',
  install: help.install,
  reportsCost: false,
  reportsTokens: false,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: true,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: null, directory: '.cursor', settingsFile: null },
  login: { variables: ['CURSOR_API_KEY'], files: ['~/.config/cursor/auth.json'] },
  // It reads AGENTS.md, CLAUDE.md and its own rules, and has no option against it.
  network: { hosts: ['cursor.com', '*.cursor.com', '*.cursor.sh'], variables: [] },
  instructions: 'own',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs }) => ({
    args: [
      '--print',
      ...option('--output-format', 'stream-json'),
      '--force',
      // Else it will not start where nobody has trusted it before.
      '--trust',
      ...option('--model', model),
      ...extraArgs,
    ],
    env: {},
    stdin: prompt,
  }),
  read: () => new CursorReader(help),
}
