import type { JsonObject } from '../base/json.ts'

/** What a tool of the agent is called and given, in the words of Claude Code. */
export interface ToolCall {
  readonly name: 'Bash' | 'Edit' | 'Read' | 'Write'
  readonly input: JsonObject
}

/** The lines of an agent run as Claude Code prints them with `--output-format stream-json`. */
export interface StreamLines {
  start(cwd: string): string
  text(text: string): string
  /** The call and its result find each other by number. */
  call(number: number, call: ToolCall): string
  result(number: number, ok: boolean, output: string): string
  /** The last line: what the agent has to say, or why it failed. */
  end(message: string, ok: boolean, durationMs: number): string
}

const model = 'scripted'
/** Nobody was asked and nothing was paid. */
const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

export function streamLines(sessionId: string): StreamLines {
  const line = (fields: JsonObject): string => JSON.stringify({ ...fields, session_id: sessionId })
  let messages = 0
  const assistant = (content: JsonObject): string =>
    line({
      type: 'assistant',
      message: {
        id: `msg_${++messages}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [content],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
      parent_tool_use_id: null,
    })
  return {
    start: (cwd) =>
      line({
        type: 'system',
        subtype: 'init',
        cwd,
        tools: ['Bash', 'Edit', 'Read', 'Write'],
        mcp_servers: [],
        model,
        permissionMode: 'bypassPermissions',
        plugins: [],
      }),
    text: (text) => assistant({ type: 'text', text }),
    call: (number, { name, input }) => assistant({ type: 'tool_use', id: `toolu_${number}`, name, input }),
    result: (number, ok, output) =>
      line({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: output, is_error: !ok }],
        },
        parent_tool_use_id: null,
      }),
    end: (message, ok, durationMs) =>
      line({
        type: 'result',
        subtype: ok ? 'success' : 'error_during_execution',
        is_error: !ok,
        duration_ms: Math.round(durationMs),
        num_turns: messages,
        result: message,
        total_cost_usd: 0,
        usage,
      }),
  }
}
