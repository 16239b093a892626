import type { Agent, AgentRequest } from './agent.ts'
import { OpencodeReader } from './opencode-stream.ts'
import { option } from './option.ts'

const help = {
  login: 'run `opencode auth login`, or set the API key of its provider',
  install: 'install opencode: npm install -g opencode-ai',
}

/** opencode. */
export const opencode: Agent = {
  name: 'opencode',
  program: 'opencode',
  install: help.install,
  reportsCost: true,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: false,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: 'OPENCODE_CONFIG_DIR', directory: '.config/opencode', settingsFile: null },
  login: {
    variables: ['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    files: ['~/.local/share/opencode/auth.json'],
  },
  network: {
    hosts: ['opencode.ai', 'models.dev', 'api.anthropic.com', 'api.openai.com', 'openrouter.ai'],
    variables: ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL'],
  },
  instructions: 'file',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs, instructionsFile }) => ({
    args: [
      'run',
      ...option('--format', 'json'),
      '--auto',
      // Plugins run code, and a project can name them.
      '--pure',
      ...option('--model', model),
      ...extraArgs,
    ],
    env: {
      ...environment,
      ...configuration(instructionsFile),
    },
    stdin: prompt,
  }),
  read: () => new OpencodeReader(help),
}

/** Without what the project and its last agent have for it: settings, AGENTS.md, what it finds in `.claude/`. */
const environment = {
  OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  OPENCODE_DISABLE_CLAUDE_CODE: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
}

function configuration(instructionsFile: AgentRequest['instructionsFile']): Record<string, string> {
  if (instructionsFile === null) return {}
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ instructions: [instructionsFile] }) }
}
