import type { JsonObject } from '../../src/base/json.ts'

/** Lines of a transcript as Claude Code 2.1 writes them, without what nobody here reads. */
export interface Said {
  readonly input?: number
  readonly cacheWrite?: number
  readonly cacheRead?: number
  readonly output?: number
  readonly model?: string
  readonly requestedModel?: string
  readonly message?: string
  readonly call?: string
  readonly isSidechain?: boolean
}

export function assistantLine(said: Said): string {
  const { input = 10, cacheWrite = 0, cacheRead = 0, output = 50, model = 'claude-sonnet-4-5' } = said
  const call = { type: 'tool_use', id: said.call ?? 'toolu_1', name: 'Bash', input: { command: 'echo "usage"' } }
  return line({
    parentUuid: null,
    isSidechain: said.isSidechain ?? false,
    message: {
      id: said.message ?? 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [call],
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: cacheWrite,
        cache_read_input_tokens: cacheRead,
        output_tokens: output,
        server_tool_use: { web_search_requests: 0 },
        iterations: [{ input_tokens: 1, cache_read_input_tokens: 1 }],
      },
    },
    requestedModel: said.requestedModel ?? model,
    type: 'assistant',
  })
}

/** A message after which so many tokens are used. */
export const usedLine = (tokens: number, said: Said = {}): string =>
  assistantLine({ ...said, input: 10, output: 50, cacheRead: tokens - 60 })

/** Carries a text that looks like usage, and the usage of a subagent. */
export const resultLine = (content: string, call = 'toolu_1'): string =>
  line({
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: [{ tool_use_id: call, type: 'tool_result', content }] },
    toolUseResult: { usage: { input_tokens: 199_000 }, text: '{"type":"assistant","usage":{"input_tokens":199000}}' },
  })

export const boundaryLine = (postTokens?: number): string =>
  line({
    isSidechain: false,
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: { trigger: 'auto', preTokens: 180_000, ...(postTokens === undefined ? {} : { postTokens }) },
  })

export const otherLine = (): string => line({ type: 'queue-operation', operation: 'enqueue' })

const line = (value: JsonObject): string => `${JSON.stringify(value)}\n`
