import type { Agent } from './agent.ts'
import { PiReader } from './pi-stream.ts'
import { option } from './option.ts'

const help = {
  login: 'run `pi` once and /login, or set the API key of its provider',
  install: 'install pi: npm install -g @mariozechner/pi-coding-agent',
}

/** The pi coding agent. It asks for no permission, so that there is none to give. */
export const pi: Agent = {
  name: 'pi',
  program: 'pi',
  install: help.install,
  reportsCost: true,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: false,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: 'PI_CODING_AGENT_DIR', directory: '.pi/agent', settingsFile: null },
  login: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_OAUTH_TOKEN', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    files: ['auth.json', 'models.json'],
  },
  network: {
    hosts: ['api.anthropic.com', 'api.openai.com', 'openrouter.ai'],
    variables: ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'],
  },
  instructions: 'file',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs, instructionsFile }) => ({
    args: [
      '--print',
      ...option('--mode', 'json'),
      '--no-session',
      // Without what the project and its last agent have for it; extensions run code.
      '--no-context-files',
      '--no-extensions',
      '--no-skills',
      '--no-prompt-templates',
      ...option('--append-system-prompt', instructionsFile),
      ...option('--model', model),
      ...extraArgs,
    ],
    env: {},
    stdin: prompt,
  }),
  read: () => new PiReader(help),
}
