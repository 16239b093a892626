import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request, as the scripted model sees it. */
export interface Asked {
  /** The method and the address. */
  readonly line: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The whole body as it came. */
  readonly raw: string
  readonly model: string
  /** What was piped in: the first text that is not the program's own. */
  readonly prompt: string
  /** Everything else that the model is told by somebody: not the prompt, not its own words, no results of tools. */
  readonly besides: string
  /** What the tools have answered so far. */
  readonly results: readonly string[]
  /** How many answers the conversation has already. */
  readonly turn: number
  readonly tools: readonly string[]
}

/** A tool call, or text. */
export type Block = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } | string

export interface Saying {
  readonly kind: 'says'
  readonly blocks: readonly Block[]
  readonly outputTokens?: number
  /** All that the request is said to have had in it; a little, that grows, unless it is given. */
  readonly inputTokens?: number
}

export type Answer =
  | Saying
  | {
      readonly kind: 'fails'
      readonly status: number
      readonly error: string
      readonly message: string
      readonly headers?: Readonly<Record<string, string>>
    }

/** A promise: the program waits meanwhile. */
export type Model = (asked: Asked) => Answer | Promise<Answer>

/** A Messages API on 127.0.0.1 whose answers a function gives; streaming, as the real one. */
export class MessagesApi {
  readonly asked: Asked[] = []
  model: Model = () => says('nothing to say')
  /** A client that is killed in the middle of its request gets no answer. */
  readonly #server: Server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })

  static async open(): Promise<MessagesApi> {
    const api = new MessagesApi()
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve))
    return api
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = readRequest(request, Buffer.concat(chunks).toString('utf8'))
    this.asked.push(asked)
    const isMessage = asked.line.startsWith('POST /v1/messages?') || asked.line === 'POST /v1/messages'
    reply(response, asked, isMessage ? await this.#answer(asked) : fails(404, 'not_found_error', 'no such address'))
  }

  /** A mistake in the script is an answer that is not retried, and is seen in the journal. */
  async #answer(asked: Asked): Promise<Answer> {
    try {
      return await this.model(asked)
    } catch (error) {
      return fails(400, 'invalid_request_error', `the scripted model failed: ${String(error)}`)
    }
  }
}

export const says = (...blocks: Block[]): Saying => ({ kind: 'says', blocks })

export const fails = (
  status: number,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ kind: 'fails', status, error, message, headers })

interface Body {
  readonly model?: string
  readonly system?: string | readonly Part[]
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Part[] }[]
  readonly tools?: readonly { readonly name: string }[]
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly content?: string | readonly Part[]
}

function readRequest({ method = '', url = '', headers }: IncomingMessage, raw: string): Asked {
  const body = raw.startsWith('{') ? (JSON.parse(raw) as Body) : {}
  const messages = body.messages ?? []
  const told = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => textsOf(content))
  const prompt = told.flat().find((text) => !text.startsWith('<system-reminder>')) ?? ''
  const results = messages.flatMap(({ content }) =>
    partsOf(content)
      .filter(({ type }) => type === 'tool_result')
      .map((part) => textsOf(part.content).join('\n')),
  )
  return {
    line: `${method} ${url}`,
    headers,
    raw,
    model: body.model ?? '',
    prompt,
    besides: [...textsOf(body.system), ...told.flat().filter((text) => text !== prompt)].join('\n'),
    results,
    turn: messages.filter(({ role }) => role === 'assistant').length,
    tools: (body.tools ?? []).map(({ name }) => name),
  }
}

const partsOf = (content: string | readonly Part[] | undefined): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])

const textsOf = (content: string | readonly Part[] | undefined): string[] =>
  partsOf(content).flatMap(({ text }) => text ?? [])

let count = 0

function reply(response: ServerResponse, { model, turn }: Asked, answer: Answer): void {
  const requestId = `req_${++count}`
  if (answer.kind === 'fails') {
    const { status, error, message, headers } = answer
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': requestId, ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type: error, message }, request_id: requestId }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': requestId })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const cached = answer.inputTokens === undefined ? 1000 * turn : Math.max(0, answer.inputTokens - 110)
  const usage = { input_tokens: 10, cache_creation_input_tokens: 100, cache_read_input_tokens: cached }
  send('message_start', {
    message: {
      id: `msg_${count}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  })
  for (const [index, block] of answer.blocks.entries()) {
    const isText = typeof block === 'string'
    const start = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${count}_${index}`, name: block.tool, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: block }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    send('content_block_start', { index, content_block: start })
    send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  }
  const isTool = answer.blocks.some((block) => typeof block !== 'string')
  send('message_delta', {
    delta: { stop_reason: isTool ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { ...usage, output_tokens: answer.outputTokens ?? 20 },
  })
  send('message_stop', {})
  response.end()
}
