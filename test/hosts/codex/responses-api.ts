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
  /** The last thing that a user said: what was piped in. */
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

export type Answer =
  | { readonly kind: 'says'; readonly blocks: readonly Block[] }
  | { readonly kind: 'fails'; readonly status: number; readonly error: Readonly<Record<string, unknown>> }

export type Model = (asked: Asked) => Answer

/** A Responses API on 127.0.0.1 whose answers a function gives; streaming, as the real one. */
export class ResponsesApi {
  readonly asked: Asked[] = []
  model: Model = () => says('nothing to say')
  /** A client that is killed in the middle of its request gets no answer. */
  readonly #server: Server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })

  static async open(): Promise<ResponsesApi> {
    const api = new ResponsesApi()
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
    const answer =
      asked.line === 'POST /v1/responses' ? this.#answer(asked) : fails(404, { message: 'no such address' })
    reply(response, asked, answer)
  }

  /** A mistake in the script is an answer that is not retried, and is seen in the journal. */
  #answer(asked: Asked): Answer {
    try {
      return this.model(asked)
    } catch (error) {
      return fails(400, { type: 'invalid_request_error', message: `the scripted model failed: ${String(error)}` })
    }
  }
}

export const says = (...blocks: Block[]): Answer => ({ kind: 'says', blocks })

export const fails = (status: number, error: Readonly<Record<string, unknown>>): Answer => ({
  kind: 'fails',
  status,
  error,
})

interface Body {
  readonly model?: string
  readonly instructions?: string
  readonly input?: readonly Item[]
  readonly tools?: readonly { readonly name?: string; readonly type: string }[]
}

interface Item {
  readonly type?: string
  readonly role?: string
  readonly content?: readonly { readonly text?: string }[]
  readonly output?: unknown
}

function readRequest({ method = '', url = '', headers }: IncomingMessage, raw: string): Asked {
  const body = raw.startsWith('{') ? (JSON.parse(raw) as Body) : {}
  const items = body.input ?? []
  const told = items.filter(({ role }) => role !== undefined && role !== 'assistant')
  const texts = told.flatMap(({ content }) => (content ?? []).flatMap(({ text }) => text ?? []))
  const prompt = texts.at(-1) ?? ''
  const results = items.filter(({ type = '' }) => type.endsWith('_output'))
  return {
    line: `${method} ${url}`,
    headers,
    raw,
    model: body.model ?? '',
    prompt,
    besides: [body.instructions ?? '', ...texts.slice(0, -1)].join('\n'),
    results: results.map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output))),
    turn: results.length,
    tools: (body.tools ?? []).map(({ name, type }) => name ?? type),
  }
}

let count = 0

function reply(response: ServerResponse, { turn }: Asked, answer: Answer): void {
  const id = `resp_${++count}`
  if (answer.kind === 'fails') {
    response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-id': id })
    response.end(JSON.stringify({ error: answer.error }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': id })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  send('response.created', { response: { id } })
  for (const [index, block] of answer.blocks.entries()) {
    const item =
      typeof block === 'string'
        ? {
            type: 'message',
            role: 'assistant',
            id: `msg_${count}_${index}`,
            content: [{ type: 'output_text', text: block }],
          }
        : {
            type: 'function_call',
            id: `fc_${count}_${index}`,
            call_id: `call_${count}_${index}`,
            name: block.tool,
            arguments: JSON.stringify(block.input),
          }
    send('response.output_item.done', { output_index: index, item })
  }
  const usage = {
    input_tokens: 1000 * (turn + 1),
    input_tokens_details: { cached_tokens: 1000 * turn },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1000 * (turn + 1) + 20,
  }
  send('response.completed', { response: { id, usage } })
  response.end()
}
