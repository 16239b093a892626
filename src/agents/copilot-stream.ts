import { isObject, type JsonObject } from '../base/json.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { Conversation } from './conversation.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { parseMember, parseLine, peekString } from './json-line.ts'
import { brokeOff, serviceFailure, type AgentHelp, type ServiceWords } from './service-failure.ts'

const nothing: readonly Notice[] = []

/** Reads `copilot --output-format json`: many lines, of which few say something. */
export class CopilotReader implements AgentReader {
  readonly #help: AgentHelp
  readonly #conversation = new Conversation()
  /** The exit code in the last line; null if there was none. */
  #result: number | null = null
  #error: ServiceWords | null = null
  /** Whether a call was open when it said that it is done: interrupted, it says so too. */
  #wasBusy = false

  constructor(help: AgentHelp) {
    this.#help = help
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'assistant.message':
        return this.#spoken(parseMember(bytes, 'data', Infinity))
      case 'tool.execution_start':
        return this.#toolStarted(parseMember(bytes, 'data', maxOutputChars))
      case 'tool.execution_complete':
        return this.#toolEnded(parseMember(bytes, 'data', maxOutputChars))
      case 'assistant.turn_start':
        // What went wrong before was tried again.
        this.#error = null
        return nothing
      case 'assistant.turn_retry':
        return retried(parseMember(bytes, 'data', maxOutputChars))
      case 'session.error':
        return this.#failed(parseMember(bytes, 'data', maxOutputChars))
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
    return this.#conversation.report(exit, () => this.#failure(exit), { costUsd: null, tokens: null })
  }

  #failure(exit: AgentExit): AgentTrouble | null {
    if (this.#error !== null) return serviceFailure(this.#error, exit, this.#help)
    const { didSomething } = this.#conversation
    if (this.#result === null) return didSomething ? brokeOff(exit) : serviceFailure({ said: '' }, exit, this.#help)
    if (this.#result !== 0) return trouble('failed', `said that it ends with ${this.#result}`)
    if (this.#wasBusy) return trouble('failed', 'ended in the middle of a tool call')
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', `${exitPhrase(exit)}, though its last word was success`)
  }

  #spoken(data: JsonObject | null): readonly Notice[] {
    const text = data?.['content']
    const isMainLine = typeof data?.['parentToolCallId'] !== 'string'
    return typeof text === 'string' && isMainLine ? this.#conversation.says(text) : nothing
  }

  #toolStarted(data: JsonObject | null): readonly Notice[] {
    const name = data?.['toolName']
    if (data === null || typeof name !== 'string') return nothing
    return this.#conversation.startTool({ id: data['toolCallId'], name, input: data['arguments'] })
  }

  #toolEnded(data: JsonObject | null): readonly Notice[] {
    if (data === null) return nothing
    const { toolCallId: id, success, result, error, shellExecution } = data
    const exitCode = isObject(shellExecution) ? shellExecution['exitCode'] : undefined
    const ok = success !== false && (typeof exitCode !== 'number' || exitCode === 0)
    const texts = [isObject(result) ? result['content'] : result, isObject(error) ? error['message'] : error]
    return this.#conversation.endTool({ id, ok, output: texts.find((text) => typeof text === 'string') ?? '' })
  }

  #failed(data: JsonObject | null): readonly Notice[] {
    if (data === null) return nothing
    const { message, statusCode } = data
    this.#error = {
      said: typeof message === 'string' ? cutText(message) : 'an error without a name',
      status: typeof statusCode === 'number' ? statusCode : null,
    }
    return nothing
  }

  #ended(line: JsonObject | null): readonly Notice[] {
    const exitCode = line?.['exitCode']
    if (typeof exitCode !== 'number') return nothing
    this.#result = exitCode
    this.#wasBusy = this.#conversation.isToolOpen()
    return nothing
  }
}

function retried(data: JsonObject | null): readonly Notice[] {
  const reason = data?.['reason']
  if (typeof reason !== 'string') return nothing
  return [{ kind: 'agent.remark', text: `tries again: ${firstLine(reason.replaceAll('_', ' '))}` }]
}
