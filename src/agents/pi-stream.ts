import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { formatDuration } from '../base/duration.ts'
import type { Tokens } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { Conversation } from './conversation.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { exitPhrase, trouble, type AgentTrouble } from './exit-cause.ts'
import { parseLine, parseMember, peekString } from './json-line.ts'
import { brokeOff, serviceFailure, type AgentHelp } from './service-failure.ts'
import { tokenCount } from './token-count.ts'
import { toolOutput } from './tool-notice.ts'

const nothing: readonly Notice[] = []
/** A line this long was cut by us, and not because the stream broke off: the last one has the whole conversation in it. */
const cutLineBytes = 8 * 1024 * 1024

/** Reads `pi --mode json`. Its exit code is 0 whatever happened: only its last message tells. */
export class PiReader implements AgentReader {
  readonly #help: AgentHelp
  readonly #conversation = new Conversation()
  #isOver = false
  /** How the last message of the assistant ended; null before there is one. */
  #last: { readonly stopReason: string; readonly error: string | null } | null = null
  #costUsd: number | null = null
  #tokens: Tokens | null = null

  constructor(help: AgentHelp) {
    this.#help = help
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'agent_start':
        this.#isOver = false
        return nothing
      case 'message_end':
        return peekString(bytes, 'message', 'role') === 'assistant'
          ? this.#message(parseMember(bytes, 'message', Infinity))
          : nothing
      case 'tool_execution_start':
        return this.#toolStarted(parseLine(bytes, maxOutputChars))
      case 'tool_execution_end':
        return this.#toolEnded(parseLine(bytes, maxOutputChars))
      case 'auto_retry_start':
        return retried(parseLine(bytes, maxOutputChars))
      case 'agent_end':
        this.#isOver = bytes.length > cutLineBytes || parseLine(bytes, maxOutputChars) !== null
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
    const figures = { costUsd: this.#costUsd, tokens: this.#tokens }
    return this.#conversation.report(exit, () => this.#failure(exit), figures)
  }

  #failure(exit: AgentExit): AgentTrouble | null {
    const error = this.#last?.error ?? null
    if (error !== null) return serviceFailure({ said: error }, exit, this.#help)
    if (!this.#isOver) {
      return this.#conversation.didSomething ? brokeOff(exit) : serviceFailure({ said: '' }, exit, this.#help)
    }
    const stopReason = this.#last?.stopReason ?? 'stop'
    if (stopReason !== 'stop') return trouble('failed', `ended with ${stopReason}`)
    if (exit.exitCode === 0 && exit.signal === null) return null
    return trouble('failed', `${exitPhrase(exit)}, though its last word was success`)
  }

  #message(message: JsonObject | null): readonly Notice[] {
    if (message === null) return nothing
    const { content, stopReason, errorMessage, usage } = message
    const isError = stopReason === 'error' || stopReason === 'aborted'
    const error = typeof errorMessage === 'string' && errorMessage !== '' ? cutText(errorMessage) : null
    this.#last = {
      stopReason: typeof stopReason === 'string' ? firstLine(stopReason) : 'stop',
      error: error ?? (isError ? 'the model gave no answer' : null),
    }
    this.#count(usage)
    const blocks = Array.isArray(content) ? content.filter(isObject) : []
    return blocks.flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' ? this.#conversation.says(text) : nothing,
    )
  }

  /** Each message tells its own. */
  #count(usage: Json | undefined): void {
    if (!isObject(usage)) return
    const total = isObject(usage['cost']) ? usage['cost']['total'] : undefined
    if (typeof total === 'number' && Number.isFinite(total) && total >= 0) this.#costUsd = (this.#costUsd ?? 0) + total
    const before = this.#tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    this.#tokens = {
      input: before.input + tokenCount(usage['input']),
      output: before.output + tokenCount(usage['output']),
      cacheRead: before.cacheRead + tokenCount(usage['cacheRead']),
      cacheWrite: before.cacheWrite + tokenCount(usage['cacheWrite']),
    }
  }

  #toolStarted(line: JsonObject | null): readonly Notice[] {
    const name = line?.['toolName']
    if (line === null || typeof name !== 'string') return nothing
    return this.#conversation.startTool({ id: line['toolCallId'], name, input: line['args'] })
  }

  #toolEnded(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    const { toolCallId: id, result, isError } = line
    const output = toolOutput(isObject(result) ? result['content'] : result)
    return this.#conversation.endTool({ id, ok: isError !== true, output })
  }
}

function retried(line: JsonObject | null): readonly Notice[] {
  if (line === null) return nothing
  const { attempt, maxAttempts, delayMs, errorMessage } = line
  const why = typeof errorMessage === 'string' ? `${firstLine(errorMessage)}; ` : ''
  const when = typeof delayMs === 'number' && delayMs >= 0 ? ` in ${formatDuration(delayMs)}` : ''
  const count = typeof attempt === 'number' && typeof maxAttempts === 'number' ? ` (${attempt} of ${maxAttempts})` : ''
  return [{ kind: 'agent.remark', text: `${why}tries again${when}${count}` }]
}
