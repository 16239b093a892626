import { isObject, type JsonObject } from '../base/json.ts'
import type { Tokens } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { Conversation } from './conversation.ts'
import { firstLine, maxOutputChars } from './cut-text.ts'
import { DeltaText } from './delta-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { parseLine, peekString } from './json-line.ts'
import { brokeOff, serviceFailure, type AgentHelp } from './service-failure.ts'
import { tokenCount } from './token-count.ts'

const nothing: readonly Notice[] = []

/** Reads `gemini --output-format stream-json`. Its words come in pieces, and the prompt comes back. */
export class GeminiReader implements AgentReader {
  readonly #help: AgentHelp
  readonly #conversation = new Conversation()
  readonly #text = new DeltaText()
  #result: JsonObject | null = null

  constructor(help: AgentHelp) {
    this.#help = help
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'init':
        return ready(parseLine(bytes))
      case 'message':
        return peekString(bytes, 'role') === 'assistant' ? this.#spoken(parseLine(bytes)) : nothing
      case 'tool_use':
        return this.#toolStarted(parseLine(bytes, maxOutputChars))
      case 'tool_result':
        return this.#toolEnded(parseLine(bytes, maxOutputChars))
      case 'error':
        return remark(parseLine(bytes, maxOutputChars))
      case 'result':
        return this.#ended(parseLine(bytes, maxOutputChars))
      default:
        return nothing
    }
  }

  isToolOpen(): boolean {
    return this.#conversation.isToolOpen()
  }

  mustEnd(): string | null {
    return null
  }

  end(exit: AgentExit): AgentReport {
    const figures = { costUsd: null, tokens: tokensOf(this.#result) }
    return this.#conversation.report(exit, () => this.#failure(exit), figures)
  }

  /** Killed in the middle of a call it exits with 0: without a result there is no success. */
  #failure(exit: AgentExit): AgentTrouble | null {
    const { didSomething } = this.#conversation
    if (this.#result === null) return didSomething ? brokeOff(exit) : serviceFailure({ said: '' }, exit, this.#help)
    const { status, error } = this.#result
    if (status !== 'success') {
      const message = isObject(error) ? error['message'] : undefined
      return serviceFailure({ said: typeof message === 'string' ? message : 'ended without success' }, exit, this.#help)
    }
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', `${exitPhrase(exit)}, though its last word was success`)
  }

  #spoken(line: JsonObject | null): readonly Notice[] {
    const text = line?.['content']
    if (typeof text !== 'string') return nothing
    this.#conversation.listens(text)
    const isPiece = line?.['delta'] === true
    return shown(isPiece ? this.#text.push(text) : `${this.#text.take()}${text}`)
  }

  #toolStarted(line: JsonObject | null): readonly Notice[] {
    const name = line?.['tool_name']
    if (line === null || typeof name !== 'string') return nothing
    const call = { id: line['tool_id'], name, input: line['parameters'] }
    return [...shown(this.#text.take()), ...this.#conversation.startTool(call)]
  }

  #toolEnded(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    const { tool_id: id, status, output, error } = line
    const reason = isObject(error) ? error['message'] : undefined
    const text = [output, reason].find((value) => typeof value === 'string') ?? ''
    return this.#conversation.endTool({ id, ok: status === 'success', output: text })
  }

  #ended(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    this.#result = line
    return shown(this.#text.take())
  }
}

const shown = (text: string): readonly Notice[] => (text.trim() === '' ? nothing : [{ kind: 'agent.text', text }])

function ready(line: JsonObject | null): readonly Notice[] {
  if (line === null) return nothing
  const { model } = line
  return [{ kind: 'agent.ready', model: typeof model === 'string' ? firstLine(model) : null, version: null }]
}

function remark(line: JsonObject | null): readonly Notice[] {
  const message = line?.['message']
  const text = typeof message === 'string' ? firstLine(message) : ''
  return text === '' ? nothing : [{ kind: 'agent.remark', text }]
}

/** It counts what was cached within the input; we count it apart. */
function tokensOf(result: JsonObject | null): Tokens | null {
  const stats = result?.['stats']
  if (!isObject(stats)) return null
  const cacheRead = tokenCount(stats['cached'])
  const input = Math.max(0, tokenCount(stats['input_tokens']) - cacheRead)
  return { input, output: tokenCount(stats['output_tokens']), cacheRead, cacheWrite: 0 }
}
