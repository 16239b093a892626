import { isObject, parseJson, type JsonObject } from '../base/json.ts'
import type { Agent, AgentRequest } from './agent.ts'
import { claudeEnvironment, claudeSettings } from './claude-settings.ts'
import { claudeDialect, ClaudeReader } from './claude-stream.ts'
import { option } from './option.ts'

/**
 * Tools that wait for a person, who is not there; and tools that carry work out of this iteration, to where nobody judges it
 * (another work tree, a later time, the cloud, another session of the user's).
 */
const disallowedTools = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'ProposeGoal',
  'OfferChromeSetup',
  'ShowOnboardingRolePicker',
  'EnterWorktree',
  'CronCreate',
  'ScheduleWakeup',
  'RemoteTrigger',
  'ListAgents',
  'SendMessage',
]

/** Claude Code. It is started so that nothing steers it that an earlier agent can have written. */
export const claude: Agent = {
  name: 'claude',
  program: 'claude',
  install: 'install Claude Code (npm install -g @anthropic-ai/claude-code), run `claude` once and log in',
  reportsCost: true,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: true,
  directly: 'guard',
  experimental: false,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: 'CLAUDE_CONFIG_DIR', directory: '.claude', settingsFile: 'settings.json' },
  login: {
    variables: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      // Then a cloud's own login is taken.
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
      'CLAUDE_CODE_USE_FOUNDRY',
    ],
    files: ['.credentials.json'],
  },
  network: {
    hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
    variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL'],
  },
  instructions: 'file',
  settings: ({ pluginDir, userSettings, elsewhere = false }) => ({
    fileName: 'claude-settings.json',
    text: claudeSettings({ pluginDir, userSettings: objectIn(userSettings), elsewhere }),
  }),
  // Its settings and its memory are kept away by options; the rest of its directory only the user's own sessions write.
  home: () => null,
  command: (request) => ({ args: claudeArguments(request), env: claudeEnvironment, stdin: request.prompt }),
  read: ({ pluginDir }) => new ClaudeReader(claudeDialect(pluginDir)),
}

function objectIn(text: string | null): JsonObject | null {
  const json = text === null ? null : parseJson(text)
  return json?.ok === true && isObject(json.value) ? json.value : null
}

function claudeArguments(request: AgentRequest): string[] {
  const { settingsFile, instructionsFile, pluginDir, model, maxCostUsd, sessionId, extraArgs } = request
  return [
    '-p',
    ...option('--output-format', 'stream-json'),
    '--verbose',
    '--dangerously-skip-permissions',
    ...option('--setting-sources', ''),
    '--strict-mcp-config',
    ...option('--settings', settingsFile),
    ...option('--append-system-prompt-file', instructionsFile),
    ...option('--plugin-dir', pluginDir),
    // It takes several values, so something else must follow that does not look like one.
    ...option('--disallowedTools', disallowedTools.join(',')),
    ...option('--model', model),
    ...option('--max-budget-usd', maxCostUsd === null ? null : dollars(maxCostUsd)),
    ...option('--session-id', sessionId),
    ...extraArgs,
  ]
}

/** Never 0, which is refused, and never 1e-7, which nobody reads. */
function dollars(usd: number): string {
  return String(Number(Math.max(usd, 0.0001).toFixed(4)))
}
