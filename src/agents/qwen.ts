import type { JsonObject } from '../base/json.ts'
import type { Tokens } from '../model/event.ts'
import type { Agent } from './agent.ts'
import { claudeLikeFailure } from './claude-like-failure.ts'
import { ClaudeReader } from './claude-stream.ts'
import { claudeTokens } from './claude-usage.ts'
import { option } from './option.ts'
import { withoutMentions } from './without-mentions.ts'

const help = {
  login: 'run `qwen` once and log in, or set the API key of its provider (OPENAI_API_KEY)',
  install: 'install Qwen Code: npm install -g @qwen-code/qwen-code',
}

/** Qwen Code, which prints as Claude Code does. */
export const qwen: Agent = {
  name: 'qwen',
  program: 'qwen',
  install: help.install,
  reportsCost: false,
  reportsTokens: true,
  showsWork: true,
  refusesRoot: false,
  directly: null,
  experimental: false,
  versionArgs: ['--version'],
  badVersion: () => null,
  userConfig: { variable: null, directory: '.qwen', settingsFile: null },
  login: { variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'GEMINI_API_KEY'], files: ['oauth_creds.json'] },
  network: {
    hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'portal.qwen.ai', 'chat.qwen.ai'],
    variables: ['OPENAI_BASE_URL'],
  },
  instructions: 'prompt',
  settings: () => null,
  home: () => null,
  command: ({ prompt, model, extraArgs }) => ({
    args: [
      ...option('--output-format', 'stream-json'),
      '--yolo',
      // Without what the project and its last agent have for it: context files, hooks, extensions, skills, MCP servers.
      '--safe-mode',
      ...option('--model', model),
      ...extraArgs,
    ],
    env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: '1' },
    stdin: withoutMentions(prompt),
  }),
  read: () =>
    new ClaudeReader({
      pluginDir: null,
      failure: (words, exit) => claudeLikeFailure(words, exit, help),
      figures: (result) => ({ costUsd: null, tokens: qwenTokens(result) }),
    }),
}

/** It counts what was cached within the input; we count it apart. */
function qwenTokens(result: JsonObject | null): Tokens | null {
  const tokens = claudeTokens(result)
  return tokens === null ? null : { ...tokens, input: Math.max(0, tokens.input - tokens.cacheRead) }
}
