import type { Agent } from '../../src/agents/agent.ts'
import { claude } from '../../src/agents/claude.ts'
import { codex } from '../../src/agents/codex.ts'
import { customAgent } from '../../src/agents/custom.ts'
import { script } from '../../src/agents/script.ts'

/** How an agent prints what the contract is about: a line, or none where its stream has no such thing. */
export interface Speech {
  readonly agent: Agent
  /** A recorded run that was a success, with exit code 0; small, because it is cut at every byte. */
  readonly success: string
  /** All recorded runs; fewer for an agent whose reader is another's too. */
  readonly recorded: readonly string[]
  /** Whether what is not understood is the assistant's text. */
  readonly allIsText: boolean
  says(text: string): unknown
  prints(text: string): unknown
  echoes(prompt: string): unknown
  thinks(text: string): unknown
  readonly ends: unknown
}

const named = (folder: string, files: string): string[] => files.split(/\s+/).map((file) => `${folder}/${file}`)

const claudeFiles = named(
  'claude',
  `SIGINT-bash SIGTERM-bash bg-at-end compact-100k empty err-401 err-403 err-429 err-429-unified err-529 err-529-fallback
  err-connection err-credit err-model err-nokey limit-warning max-budget max-turns partial-messages plugin-broken plugin-loaded
  plugindir-tools post-ctx pre-deny refusal stop-block-forever stop-block-once stream subagent tags-and-tools usage-limit
  weekly-limit`,
)

const codexFiles = named(
  'codex',
  `full workspace-write err-auth err-badreq err-ctxlen err-e500 err-quota err-ratelimit err-sserl err-usagelimit sigTERM`,
)

const message = (content: unknown, role = 'assistant'): unknown => ({
  type: role,
  message: { id: 'msg_1', role, model: 'claude-opus-5-5', content: [content] },
  parent_tool_use_id: null,
})

const claudeSpeech = {
  success: 'claude/plugin-loaded',
  recorded: claudeFiles,
  allIsText: false,
  says: (text: string) => message({ type: 'text', text }),
  prints: (text: string) => message({ type: 'tool_result', tool_use_id: 'toolu_1', content: text }, 'user'),
  echoes: (text: string) => message({ type: 'text', text }, 'user'),
  thinks: (thinking: string) => message({ type: 'thinking', thinking }),
  ends: { type: 'result', subtype: 'success', is_error: false, result: '<promise>NOT SAID</promise>' },
}

const item = (type: string, text: string): unknown => ({ type: 'item.completed', item: { id: 'item_1', type, text } })

const codexSpeech = {
  success: 'codex/full',
  recorded: codexFiles,
  allIsText: false,
  says: (text: string) => item('agent_message', text),
  prints: (output: string) => ({
    type: 'item.completed',
    item: { id: 'item_1', type: 'command_execution', command: 'ls', aggregated_output: output, exit_code: 0 },
  }),
  echoes: (prompt: string) => item('user_message', prompt),
  thinks: (text: string) => item('reasoning', text),
  ends: { type: 'turn.completed', usage: {} },
}

/** Everybody who must keep the contract. */
export const speeches: readonly Speech[] = [
  { agent: claude, ...claudeSpeech },
  { agent: script, ...claudeSpeech, recorded: [] },
  { agent: customAgent(['./agent'], 'claude'), ...claudeSpeech, recorded: [] },
  { agent: codex, ...codexSpeech },
  { agent: customAgent(['./agent'], 'codex'), ...codexSpeech, recorded: [] },
  {
    agent: customAgent(['./agent'], 'text'),
    success: 'text/plain',
    recorded: ['text/plain'],
    allIsText: true,
    says: (text) => text,
    prints: () => null,
    echoes: () => null,
    thinks: () => null,
    ends: null,
  },
]
