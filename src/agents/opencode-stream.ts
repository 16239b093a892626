import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Tokens } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { Conversation } from './conversation.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { parseLine, peekString } from './json-line.ts'
import { brokeOff, serviceFailure, type AgentHelp, type ServiceWords } from './service-failure.ts'
import { tokenCount } from './token-count.ts'

const nothing: readonly Notice[] = []

/** Reads `opencode run --format json`. There is no last line: the last step has to have ended with `stop`. */
export class OpencodeReader implements AgentReader {
  readonly #help: AgentHelp
  readonly #conversation = new Conversation()
  /** `open`: the model answers or tools run; else why the last step ended. */
  #step = 'none'
  #error: (ServiceWords & { readonly retryAfterMs: number | null }) | null = null
  #costUsd: number | null = null
  #tokens: Tokens | null = null

  constructor(help: AgentHelp) {
    this.#help = help
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'step_start':
        if (parseLine(bytes, maxOutputChars) !== null) this.#step = 'open'
        return nothing
      case 'text':
        return this.#spoken(partOf(parseLine(bytes)))
      case 'tool_use':
        return this.#tool(partOf(parseLine(bytes, maxOutputChars)))
      case 'step_finish':
        return this.#finished(partOf(parseLine(bytes, maxOutputChars)))
      case 'error':
        return this.#failed(parseLine(bytes, maxOutputChars))
      default:
        return nothing
    }
  }

  /** A call is told only when it is over, so that any silence within a step may be one. */
  isToolOpen(): boolean {
    return this.#step === 'open'
  }

  mustEnd(): string | null {
    return null
  }

  end(exit: AgentExit): AgentReport {
    const figures = { costUsd: this.#costUsd, tokens: this.#tokens }
    return this.#conversation.report(exit, () => this.#failure(exit), figures)
  }

  #failure(exit: AgentExit): AgentTrouble | null {
    if (this.#error !== null) {
      const { retryAfterMs } = this.#error
      const resetsAt = retryAfterMs === null ? null : exit.endedAt + retryAfterMs
      return serviceFailure({ ...this.#error, resetsAt }, exit, this.#help)
    }
    if (this.#step === 'none' && !this.#conversation.didSomething) return serviceFailure({ said: '' }, exit, this.#help)
    if (this.#step === 'none' || this.#step === 'open') return brokeOff(exit)
    if (this.#step !== 'stop') return trouble('failed', `ended with ${this.#step}`)
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', `${exitPhrase(exit)}, though its last step was over`)
  }

  #spoken(part: JsonObject | null): readonly Notice[] {
    const text = part?.['text']
    return typeof text === 'string' ? this.#conversation.says(text) : nothing
  }

  #tool(part: JsonObject | null): readonly Notice[] {
    const name = part?.['tool']
    const state = part?.['state']
    if (!isObject(part) || typeof name !== 'string' || !isObject(state)) return nothing
    const { status, input, output, error, metadata } = state
    const id = part['callID']
    const exitCode = isObject(metadata) ? metadata['exit'] : undefined
    const ok = status === 'completed' && (typeof exitCode !== 'number' || exitCode === 0)
    const text = [output, error].find((value) => typeof value === 'string') ?? ''
    return [
      ...this.#conversation.startTool({ id, name, input }),
      ...this.#conversation.endTool({ id, ok, output: text }),
    ]
  }

  #finished(part: JsonObject | null): readonly Notice[] {
    if (part === null) return nothing
    const { reason, cost, tokens } = part
    this.#step = typeof reason === 'string' ? firstLine(reason) : 'no reason'
    if (typeof cost === 'number' && Number.isFinite(cost) && cost >= 0) this.#costUsd = (this.#costUsd ?? 0) + cost
    if (isObject(tokens)) this.#tokens = sum(this.#tokens, tokensOf(tokens))
    return nothing
  }

  #failed(line: JsonObject | null): readonly Notice[] {
    const error = line?.['error']
    if (!isObject(error)) return nothing
    const data = isObject(error['data']) ? error['data'] : {}
    const said = [data['message'], error['message'], error['name']].find((value) => typeof value === 'string')
    const status = data['statusCode']
    this.#error = {
      said: cutText(said ?? 'an error without a name'),
      status: typeof status === 'number' ? status : null,
      retryAfterMs: retryAfter(data['responseHeaders']),
    }
    return nothing
  }
}

function partOf(line: JsonObject | null): JsonObject | null {
  const part = line?.['part']
  return isObject(part) ? part : null
}

/** In seconds; a date stands there as well, but no service that we know sends one. */
function retryAfter(headers: Json | undefined): number | null {
  const seconds = isObject(headers) ? Number(headers['retry-after']) : NaN
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
}

/** Its input is without what was cached, its output without the thoughts. */
function tokensOf(tokens: JsonObject): Tokens {
  const cache = isObject(tokens['cache']) ? tokens['cache'] : {}
  return {
    input: tokenCount(tokens['input']),
    output: tokenCount(tokens['output']) + tokenCount(tokens['reasoning']),
    cacheRead: tokenCount(cache['read']),
    cacheWrite: tokenCount(cache['write']),
  }
}

const sum = (before: Tokens | null, more: Tokens): Tokens => ({
  input: (before?.input ?? 0) + more.input,
  output: (before?.output ?? 0) + more.output,
  cacheRead: (before?.cacheRead ?? 0) + more.cacheRead,
  cacheWrite: (before?.cacheWrite ?? 0) + more.cacheWrite,
})
