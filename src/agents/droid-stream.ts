import { isObject, type JsonObject } from '../base/json.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { claudeTokens } from './claude-usage.ts'
import { Conversation } from './conversation.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { parseLine, peekString } from './json-line.ts'
import { brokeOff, serviceFailure, type AgentHelp } from './service-failure.ts'
import { toolOutput } from './tool-notice.ts'

const nothing: readonly Notice[] = []

/** Reads `droid exec --output-format stream-json`: it begins like Claude's and goes on in its own way. */
export class DroidReader implements AgentReader {
  readonly #help: AgentHelp
  readonly #conversation = new Conversation()
  #completion: JsonObject | null = null
  #error: string | null = null

  constructor(help: AgentHelp) {
    this.#help = help
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'system':
        return peekString(bytes, 'subtype') === 'init' ? ready(parseLine(bytes)) : nothing
      case 'message':
        return peekString(bytes, 'role') === 'assistant' ? this.#spoken(parseLine(bytes)) : nothing
      case 'tool_call':
        return this.#toolStarted(parseLine(bytes, maxOutputChars))
      case 'tool_result':
        return this.#toolEnded(parseLine(bytes, maxOutputChars))
      case 'error':
        return this.#failed(parseLine(bytes, maxOutputChars))
      case 'completion':
        this.#completion = parseLine(bytes, maxOutputChars) ?? this.#completion
        return nothing
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
    const figures = { costUsd: null, tokens: claudeTokens(this.#completion) }
    return this.#conversation.report(exit, () => this.#failure(exit), figures)
  }

  #failure(exit: AgentExit): AgentTrouble | null {
    if (this.#completion === null || this.#completion['isError'] === true) {
      if (this.#error !== null) return serviceFailure({ said: this.#error }, exit, this.#help)
      return this.#conversation.didSomething ? brokeOff(exit) : serviceFailure({ said: '' }, exit, this.#help)
    }
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', this.#error ?? `${exitPhrase(exit)}, though its last word was success`)
  }

  #spoken(line: JsonObject | null): readonly Notice[] {
    const text = line?.['text']
    return typeof text === 'string' ? this.#conversation.says(text) : nothing
  }

  #toolStarted(line: JsonObject | null): readonly Notice[] {
    const name = line?.['toolName']
    if (line === null || typeof name !== 'string') return nothing
    return this.#conversation.startTool({ id: line['id'], name, input: line['parameters'] })
  }

  #toolEnded(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    const { id, isError, value, error } = line
    const reason = isObject(error) ? error['message'] : undefined
    return this.#conversation.endTool({ id, ok: isError !== true, output: toolOutput(value ?? reason) })
  }

  /** It may go on after one. */
  #failed(line: JsonObject | null): readonly Notice[] {
    const message = line?.['message']
    if (typeof message !== 'string') return nothing
    this.#error = cutText(message.replace(/^Error: /, ''))
    return [{ kind: 'agent.remark', text: firstLine(this.#error) }]
  }
}

function ready(line: JsonObject | null): readonly Notice[] {
  if (line === null) return nothing
  const { model } = line
  return [{ kind: 'agent.ready', model: typeof model === 'string' ? firstLine(model) : null, version: null }]
}
