import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { claudeFailure } from './claude-failure.ts'
import { claudeRemark, limitRemark, remarkable } from './claude-remark.ts'
import { claudeToolOutput, claudeToolStarted } from './claude-tool.ts'
import { claudeCost, claudeTokens } from './claude-usage.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { endedByRunner, trouble } from './exit-cause.ts'
import { parseLine, parseMember, peekString } from './json-line.ts'
import { OpenTools } from './open-tools.ts'
import { pluginMissing } from './plugin-missing.ts'
import { SpokenTags } from './spoken-tags.ts'

const nothing: readonly Notice[] = []
const maxIdChars = 200

/**
 * Reads the stream-json of Claude Code. A line is parsed only if its type matters, and what tools have printed only in part;
 * lines of other types, and what is no JSON, are passed over.
 */
export class ClaudeReader implements AgentReader {
  /** Null: no plugin has to be proven. */
  readonly #pluginDir: string | null
  readonly #tags = new SpokenTags()
  readonly #tools = new OpenTools()
  #isReady = false
  #pluginMissing: string | null = null
  #didSomething = false
  #result: JsonObject | null = null
  #apiError: { readonly error: string | null; readonly text: string } | null = null
  #rejected: { readonly resetsAt: number | null } | null = null
  /** What runs in the background, in the model's words. */
  #background: readonly string[] = []

  constructor(pluginDir: string | null) {
    this.#pluginDir = pluginDir
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
    return !this.#tools.isEmpty
  }

  mustEnd(): string | null {
    return this.#pluginMissing
  }

  end(exit: AgentExit): AgentReport {
    const found = {
      costUsd: claudeCost(this.#result),
      tokens: claudeTokens(this.#result),
      promises: this.#tags.promises,
      responses: this.#tags.responses,
    }
    const words = { result: this.#result, apiError: this.#apiError, rejected: this.#rejected }
    const failure = this.#unproven() ?? endedByRunner(exit) ?? claudeFailure(words, exit)
    if (failure !== null) return { ...failure, ...found }
    if (!this.#didSomething && !hasWords(this.#result)) return { ...trouble('empty', 'gave an empty answer'), ...found }
    return { outcome: 'succeeded', message: null, fix: null, resetsAt: null, ...found }
  }

  #unproven(): ReturnType<typeof endedByRunner> {
    if (this.#pluginMissing === null) return null
    return trouble('unavailable', this.#pluginMissing, 'install Ralph anew; `ralph doctor` says more')
  }

  #assistant(line: JsonObject | null): readonly Notice[] {
    const message = line?.['message']
    if (line === null || !isObject(message) || !Array.isArray(message['content'])) return nothing
    const parent = idOf(line['parent_tool_use_id'])
    const origin = { parent, message: idOf(message['id']) }
    this.#tools.heard(origin)
    const isOwnWord = message['model'] === '<synthetic>' || typeof line['error'] === 'string'
    if (isOwnWord) return this.#ownWord(line, message['content'])
    const notices: Notice[] = []
    for (const block of message['content'].filter(isObject)) {
      const { type, text, name } = block
      if (type === 'tool_use' && typeof name === 'string') {
        const id = idOf(block['id']) ?? ''
        this.#didSomething = true
        this.#tools.start(id, origin)
        notices.push(...claudeToolStarted(id, name, block['input']))
      } else if (type === 'text' && typeof text === 'string' && parent === null) {
        this.#tags.push(text)
        if (text.trim() === '') continue
        this.#didSomething = true
        notices.push({ kind: 'agent.text', text })
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
      const id = idOf(block['tool_use_id'])
      if (block['type'] !== 'tool_result' || id === null) continue
      this.#tools.end(id)
      const output = claudeToolOutput(block['content'])
      notices.push({ kind: 'agent.tool.ended', id, ok: block['is_error'] !== true, output })
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
    if (this.#pluginDir !== null) this.#pluginMissing ??= pluginMissing(line, this.#pluginDir)
    // Each turn begins with one.
    if (this.#isReady) return nothing
    this.#isReady = true
    const { model, claude_code_version: version } = line
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

/** The last words stand in the result line as well. */
function hasWords(result: JsonObject | null): boolean {
  const text = result?.['result']
  return typeof text === 'string' && text.trim() !== ''
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

/** An id as it is compared; null for none. What is no text is still an id: a subagent must not pass for the main line. */
function idOf(value: Json | undefined): string | null {
  if (value === null || value === undefined) return null
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), maxIdChars)
}

function wordOf(value: unknown): string | null {
  return typeof value === 'string' ? firstLine(value) : null
}
