import type { Agent } from '../../src/agents/agent.ts'
import { amp } from '../../src/agents/amp.ts'
import { claude } from '../../src/agents/claude.ts'
import { codex } from '../../src/agents/codex.ts'
import { copilot } from '../../src/agents/copilot.ts'
import { cursor } from '../../src/agents/cursor.ts'
import { customAgent } from '../../src/agents/custom.ts'
import { droid } from '../../src/agents/droid.ts'
import { gemini } from '../../src/agents/gemini.ts'
import { opencode } from '../../src/agents/opencode.ts'
import { pi } from '../../src/agents/pi.ts'
import { qwen } from '../../src/agents/qwen.ts'
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
  prints: (aggregated: string) => ({
    type: 'item.completed',
    item: { id: 'item_1', type: 'command_execution', command: 'ls', aggregated_output: aggregated, exit_code: 0 },
  }),
  echoes: (prompt: string) => item('user_message', prompt),
  thinks: (text: string) => item('reasoning', text),
  ends: { type: 'turn.completed', usage: {} },
}

const cursorCall = { type: 'tool_call', subtype: 'completed', call_id: 'call_1' }
const opencodePart = (type: string, part: object): unknown => ({ type, timestamp: 1, sessionID: 'ses_1', part })
const copilotEvent = (type: string, data: object): unknown => ({ type, data, id: 'e1', parentId: null })
const piMessage = (role: string, content: unknown): unknown => ({
  type: 'message_end',
  message: { role, content: [content], ...(role === 'assistant' ? { stopReason: 'stop' } : {}) },
})

/** Everybody who must keep the contract. */
export const speeches: readonly Speech[] = [
  { agent: claude, ...claudeSpeech },
  { agent: script, ...claudeSpeech, recorded: [] },
  { agent: customAgent(['./agent'], 'claude'), ...claudeSpeech, recorded: [] },
  { agent: codex, ...codexSpeech },
  { agent: customAgent(['./agent'], 'codex'), ...codexSpeech, recorded: [] },
  { agent: amp, ...claudeSpeech, success: 'amp/full', recorded: named('amp', 'full err-execution') },
  {
    agent: qwen,
    ...claudeSpeech,
    success: 'qwen/full',
    recorded: named('qwen', 'full err-auth err-ratelimit no-login'),
  },
  {
    agent: cursor,
    ...claudeSpeech,
    success: 'cursor/full',
    recorded: named('cursor', 'full'),
    prints: (stdout) => ({
      ...cursorCall,
      tool_call: { shellToolCall: { args: {}, result: { success: { stdout } } } },
    }),
    thinks: (text) => ({ type: 'thinking', subtype: 'delta', text }),
  },
  {
    agent: gemini,
    success: 'gemini/full',
    recorded: named('gemini', 'full err-auth err-ratelimit'),
    allIsText: false,
    says: (content) => ({ type: 'message', role: 'assistant', content, delta: true }),
    prints: (output) => ({ type: 'tool_result', tool_id: 't1', status: 'success', output }),
    echoes: (content) => ({ type: 'message', role: 'user', content }),
    thinks: (content) => ({ type: 'thought', content }),
    ends: { type: 'result', status: 'success', stats: {} },
  },
  {
    agent: opencode,
    success: 'opencode/full',
    recorded: named('opencode', 'full err-auth err-ratelimit'),
    allIsText: false,
    says: (text) => opencodePart('text', { type: 'text', text }),
    prints: (output) =>
      opencodePart('tool_use', { type: 'tool', tool: 'bash', callID: 'c1', state: { status: 'completed', output } }),
    echoes: () => null,
    thinks: (text) => opencodePart('reasoning', { type: 'reasoning', text }),
    ends: opencodePart('step_finish', { type: 'step-finish', reason: 'stop' }),
  },
  {
    agent: copilot,
    success: 'copilot/small',
    recorded: named('copilot', 'small full err-auth err-ratelimit'),
    allIsText: false,
    says: (content) => copilotEvent('assistant.message', { content, toolRequests: [] }),
    prints: (content) =>
      copilotEvent('tool.execution_complete', { toolCallId: 'c1', success: true, result: { content } }),
    echoes: (content) => copilotEvent('user.message', { content, transformedContent: content }),
    thinks: (content) => copilotEvent('assistant.reasoning', { content }),
    ends: { type: 'result', exitCode: 0, usage: {} },
  },
  {
    agent: pi,
    success: 'pi/small',
    recorded: named('pi', 'small full err-auth err-ratelimit no-login'),
    allIsText: false,
    says: (text) => piMessage('assistant', { type: 'text', text }),
    prints: (text) => ({ type: 'tool_execution_end', toolCallId: 'c1', result: { content: [{ type: 'text', text }] } }),
    echoes: (text) => piMessage('user', { type: 'text', text }),
    thinks: (thinking) => piMessage('assistant', { type: 'thinking', thinking }),
    ends: {
      type: 'agent_end',
      messages: [{ role: 'user', content: [{ type: 'text', text: '<promise>NO</promise>' }] }],
    },
  },
  {
    agent: droid,
    success: 'droid/full',
    recorded: named('droid', 'full no-login'),
    allIsText: false,
    says: (text) => ({ type: 'message', role: 'assistant', id: 'm1', text }),
    prints: (value) => ({ type: 'tool_result', id: 'c1', isError: false, value }),
    echoes: (text) => ({ type: 'message', role: 'user', id: 'm0', text }),
    thinks: (text) => ({ type: 'reasoning', id: 'r1', text }),
    ends: { type: 'completion', finalText: '<promise>NOT SAID</promise>', numTurns: 1 },
  },
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
