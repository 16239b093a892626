import type { Agent } from './agent.ts'
import { GeminiReader } from './gemini-stream.ts'
import { option } from './option.ts'
import { withoutMentions } from './without-mentions.ts'

const help = {
  login: 'run `gemini` once and log in, or set GEMINI_API_KEY',
  install: 'install the Gemini CLI: npm install -g @google/gemini-cli',
}

/** Google's Gemini CLI. */
export const gemini: Agent = {
  name: 'gemini',
  program: 'gemini',
  install: help.install,
  reportsCost: false,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: false,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: null, directory: '.gemini', settingsFile: null },
  login: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    files: ['oauth_creds.json'],
  },
  network: {
    hosts: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'oauth2.googleapis.com',
      'accounts.google.com',
    ],
    variables: ['GOOGLE_GEMINI_BASE_URL'],
  },
  instructions: 'prompt',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs }) => ({
    args: [
      ...option('--output-format', 'stream-json'),
      '--yolo',
      // Without it the other is taken back where nobody has trusted the directory.
      '--skip-trust',
      ...option('--model', model),
      ...extraArgs,
    ],
    env: {},
    stdin: withoutMentions(prompt),
  }),
  read: () => new GeminiReader(help),
}
