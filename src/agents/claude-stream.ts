import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { claudeFailure, type ClaudeWords } from './claude-failure.ts'
import { claudeRemark, limitRemark, remarkable } from './claude-remark.ts'
import { claudeCost, claudeTokens } from './claude-usage.ts'
import { Conversation, idOf, type Figures } from './conversation.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { trouble, type AgentTrouble } from './exit-cause.ts'
import { parseLine, parseMember, peekString } from './json-line.ts'
import { pluginMissing } from './plugin-missing.ts'
import { toolOutput } from './tool-notice.ts'

const nothing: readonly Notice[] = []

/** Where agents that print the stream of Claude Code differ from it. */
export interface ClaudeDialect {
  /** Null: no plugin has to be proven. */
  readonly pluginDir: string | null
  /** Why a run that ended by itself was no success; null if it was one. */
  failure(words: ClaudeWords, exit: AgentExit): AgentTrouble | null
  figures(result: JsonObject | null): Figures
}

/** Claude Code itself. */
export const claudeDialect = (pluginDir: string | null): ClaudeDialect => ({
  pluginDir,
  failure: claudeFailure,
  figures: (result) => ({ costUsd: claudeCost(result), tokens: claudeTokens(result) }),
})

/**
 * Reads the stream-json of Claude Code. A line is parsed only if its type matters, and what tools have printed only in part;
 * lines of other types, and what is no JSON, are passed over.
 */
export class ClaudeReader implements AgentReader {
  readonly #dialect: ClaudeDialect
  readonly #conversation: Conversation
  #isReady = false
  #pluginMissing: string | null = null
  #result: JsonObject | null = null
  #apiError: { readonly error: string | null; readonly text: string } | null = null
  #rejected: { readonly resetsAt: number | null } | null = null
  /** What runs in the background, in the model's words. */
  #background: readonly string[] = []

  constructor(dialect: ClaudeDialect, conversation: Conversation = new Conversation()) {
    this.#dialect = dialect
    this.#conversation = conversation
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'assistant':
        return this.#assistant(parseLine(bytes))
      case 'user':
        return this.#user(parseMember(bytes, 'message', maxOutputChars))
      case 'system':
        return this.#system(bytes)
      case 'rate_limit_event':
        return this.#rateLimit(parseLine(bytes))
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
    return this.#pluginMissing
  }

  end(exit: AgentExit): AgentReport {
    const begun = this.#conversation.didSomething
    const words = { result: this.#result, apiError: this.#apiError, rejected: this.#rejected, begun }
    // The last words stand in the result line as well.
    const last = this.#result?.['result']
    if (typeof last === 'string' && last.trim() !== '') this.#conversation.didWork()
    const failure = (): AgentTrouble | null => this.#dialect.failure(words, exit)
    const report = this.#conversation.report(exit, failure, this.#dialect.figures(this.#result))
    return { ...report, ...this.#unproven() }
  }

  #unproven(): AgentTrouble | null {
    if (this.#pluginMissing === null) return null
    return trouble('unavailable', this.#pluginMissing, 'install Ralph anew; `ralph doctor` says more')
  }

  #assistant(line: JsonObject | null): readonly Notice[] {
    const message = line?.['message']
    if (line === null || !isObject(message) || !Array.isArray(message['content'])) return nothing
    const parent = idOf(line['parent_tool_use_id'])
    const origin = { parent, message: idOf(message['id']) }
    this.#conversation.heard(origin)
    const isOwnWord = message['model'] === '<synthetic>' || typeof line['error'] === 'string'
    if (isOwnWord) return this.#ownWord(line, message['content'])
    const notices: Notice[] = []
    for (const block of message['content'].filter(isObject)) {
      const { type, text, name } = block
      if (type === 'tool_use' && typeof name === 'string') {
        notices.push(...this.#conversation.startTool({ id: block['id'], name, input: block['input'] }, origin))
      } else if (type === 'text' && typeof text === 'string' && parent === null) {
        notices.push(...this.#conversation.says(text))
      }
    }
    return notices
  }

  /** What Claude Code wrote in place of an answer: no word of the assistant. */
  #ownWord(line: JsonObject, content: readonly Json[]): readonly Notice[] {
    const { error } = line
    const block = content.find((item) => isObject(item) && typeof item['text'] === 'string')
    const text = cutText(isObject(block) && typeof block['text'] === 'string' ? block['text'] : '')
    if (typeof error === 'string') this.#apiError = { error: firstLine(error), text }
    const remark = firstLine(text)
    return remark === '' ? nothing : [{ kind: 'agent.remark', text: remark }]
  }

  /** Most of such a line is what a tool has printed, twice. */
  #user(message: JsonObject | null): readonly Notice[] {
    if (message === null || !Array.isArray(message['content'])) return nothing
    const notices: Notice[] = []
    for (const block of message['content'].filter(isObject)) {
      if (block['type'] !== 'tool_result') continue
      const output = toolOutput(block['content'])
      notices.push(...this.#conversation.endTool({ id: block['tool_use_id'], ok: block['is_error'] !== true, output }))
    }
    return notices
  }

  #system(bytes: Buffer): readonly Notice[] {
    const subtype = peekString(bytes, 'subtype') ?? ''
    if (subtype === 'init') return this.#init(parseLine(bytes))
    if (subtype === 'background_tasks_changed') {
      this.#background = namesOf(parseLine(bytes, maxOutputChars)?.['tasks'])
      return nothing
    }
    const line = remarkable.has(subtype) ? parseLine(bytes, maxOutputChars) : null
    const text = line === null ? null : claudeRemark(subtype, line)
    return text === null ? nothing : [{ kind: 'agent.remark', text }]
  }

  #ended(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    this.#result = line
    return this.#background.length === 0 ? nothing : [waitsFor(this.#background)]
  }

  #init(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    const { pluginDir } = this.#dialect
    if (pluginDir !== null) this.#pluginMissing ??= pluginMissing(line, pluginDir)
    // Each turn begins with one.
    if (this.#isReady) return nothing
    this.#isReady = true
    const { model } = line
    const version = line['claude_code_version'] ?? line['qwen_code_version']
    return [{ kind: 'agent.ready', model: wordOf(model), version: wordOf(version) }]
  }

  #rateLimit(line: JsonObject | null): readonly Notice[] {
    const info = line?.['rate_limit_info']
    if (!isObject(info)) return nothing
    const { status, resetsAt } = info
    const isTime = typeof resetsAt === 'number' && resetsAt > 0 && resetsAt < 1e11
    this.#rejected = status === 'rejected' ? { resetsAt: isTime ? resetsAt * 1000 : null } : null
    const text = limitRemark(info)
    return text === null ? nothing : [{ kind: 'agent.remark', text }]
  }
}

/** It does not exit before that has ended: by its own deadline, of ten minutes and more. */
const waitsFor = (names: readonly string[]): Notice => ({
  kind: 'agent.remark',
  text: `has finished and waits for what it left in the background: ${names.join(', ')}`,
})

function namesOf(tasks: Json | undefined): string[] {
  if (!Array.isArray(tasks)) return []
  return tasks.filter(isObject).map(({ description }) => wordOf(description) ?? 'something')
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' ? firstLine(value) : null
}
