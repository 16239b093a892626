import type { Agent } from './agent.ts'
import { DroidReader } from './droid-stream.ts'
import { option } from './option.ts'

const help = {
  login: 'run `droid` once and /login, or set FACTORY_API_KEY',
  install: 'install droid: npm install -g droid',
}

/** Factory's droid; what it prints after its first lines is known from its documents. */
export const droid: Agent = {
  name: 'droid',
  program: 'droid',
  install: help.install,
  reportsCost: false,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: true,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: null, directory: '.factory', settingsFile: null },
  login: { variables: ['FACTORY_API_KEY'], files: ['auth.encrypted', 'auth.v2.file'] },
  // It reads AGENTS.md itself, and has no option against it.
  network: { hosts: ['factory.ai', '*.factory.ai'], variables: [] },
  instructions: 'own',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs }) => ({
    args: [
      'exec',
      ...option('--output-format', 'stream-json'),
      // With a level of `--auto` it ends where a command is above it.
      '--skip-permissions-unsafe',
      ...option('--model', model),
      ...extraArgs,
    ],
    env: {},
    stdin: prompt,
  }),
  read: () => new DroidReader(help),
}
