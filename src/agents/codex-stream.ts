import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Tokens } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { codexFailure, type CodexTurn } from './codex-failure.ts'
import { codexTodo, codexTool, codexToolEnded } from './codex-item.ts'
import { sandboxBroken, sandboxFix } from './codex-sandbox.ts'
import { cutText, firstLine, maxOutputChars } from './cut-text.ts'
import { endedByRunner, trouble, type AgentTrouble } from './exit-cause.ts'
import { parseLine, peekString } from './json-line.ts'
import { OpenTools } from './open-tools.ts'
import { SpokenTags } from './spoken-tags.ts'
import { tokenCount } from './token-count.ts'

const nothing: readonly Notice[] = []

/** Reads `codex exec --json`: items that begin, change and end, in turns. */
export class CodexReader implements AgentReader {
  readonly #tags = new SpokenTags()
  readonly #tools = new OpenTools()
  #turn: CodexTurn = { state: 'none' }
  #tokens: Tokens | null = null
  #didSomething = false
  /** Until its first command is over, where it has a sandbox of its own. */
  #isSandboxUntried: boolean
  #broken: string | null = null

  constructor({ sandboxed }: { readonly sandboxed: boolean } = { sandboxed: false }) {
    this.#isSandboxUntried = sandboxed
  }

  line(bytes: Buffer): readonly Notice[] {
    switch (peekString(bytes, 'type') ?? '') {
      case 'turn.started':
        this.#turn = { state: 'open' }
        return nothing
      case 'turn.completed':
        return this.#completed(parseLine(bytes))
      case 'turn.failed':
        return this.#failed(parseLine(bytes))
      case 'error':
        // Not the end: "Reconnecting... 1/5" is one of these.
        return remark(parseLine(bytes, maxOutputChars)?.['message'])
      case 'item.started':
      case 'item.updated':
        return this.#item(bytes, false)
      case 'item.completed':
        return this.#item(bytes, true)
      default:
        return nothing
    }
  }

  isToolOpen(): boolean {
    return !this.#tools.isEmpty
  }

  mustEnd(): string | null {
    return this.#broken
  }

  end(exit: AgentExit): AgentReport {
    const found = {
      costUsd: null,
      tokens: this.#tokens,
      promises: this.#tags.promises,
      responses: this.#tags.responses,
    }
    const failure = this.#sandboxFailure() ?? endedByRunner(exit) ?? codexFailure(this.#turn, exit)
    if (failure !== null) return { ...failure, ...found }
    if (!this.#didSomething) return { ...trouble('empty', 'gave an empty answer'), ...found }
    return { outcome: 'succeeded', message: null, fix: null, resetsAt: null, ...found }
  }

  #sandboxFailure(): AgentTrouble | null {
    return this.#broken === null ? null : trouble('unavailable', this.#broken, sandboxFix)
  }

  #completed(line: JsonObject | null): readonly Notice[] {
    if (line === null) return nothing
    this.#turn = { state: 'completed' }
    const { usage } = line
    if (isObject(usage)) this.#tokens = tokensOf(usage)
    return nothing
  }

  #failed(line: JsonObject | null): readonly Notice[] {
    const error = line?.['error']
    const message = isObject(error) ? error['message'] : undefined
    this.#turn = { state: 'failed', error: typeof message === 'string' ? cutText(message) : 'the turn failed' }
    return nothing
  }

  #item(bytes: Buffer, isOver: boolean): readonly Notice[] {
    const isSpoken = peekString(bytes, 'item', 'type') === 'agent_message'
    const item = parseLine(bytes, isSpoken ? Infinity : maxOutputChars)?.['item']
    if (!isObject(item)) return nothing
    if (isSpoken) return isOver ? this.#spoken(item['text']) : nothing
    if (item['type'] === 'todo_list') return [{ kind: 'agent.todo', items: codexTodo(item['items']) }]
    // A warning; the run goes on.
    if (item['type'] === 'error') return remark(item['message'])
    const tool = codexTool(item)
    return tool === null ? nothing : this.#tool(item, tool, isOver)
  }

  #spoken(text: Json | undefined): readonly Notice[] {
    if (typeof text !== 'string') return nothing
    this.#tags.push(text)
    if (text.trim() === '') return nothing
    this.#didSomething = true
    return [{ kind: 'agent.text', text }]
  }

  #tool(item: JsonObject, tool: { verb: string; target: string }, isOver: boolean): readonly Notice[] {
    const id = cutText(typeof item['id'] === 'string' ? item['id'] : '', 200)
    this.#didSomething = true
    const isNew = !this.#tools.has(id)
    if (isOver) this.#tools.end(id)
    else this.#tools.start(id, { parent: null, message: null })
    if (isOver && this.#isSandboxUntried && item['type'] === 'command_execution') {
      this.#isSandboxUntried = false
      this.#broken = sandboxBroken(item)
    }
    // Some are only told when they are over.
    const started: readonly Notice[] = isNew ? [{ kind: 'agent.tool.started', id, ...tool }] : nothing
    return isOver ? [...started, codexToolEnded(id, item)] : started
  }
}

function remark(message: Json | undefined): readonly Notice[] {
  const text = typeof message === 'string' ? firstLine(message) : ''
  return text === '' ? nothing : [{ kind: 'agent.remark', text }]
}

/** Codex counts what was cached within the input; we count it apart. */
function tokensOf(usage: JsonObject): Tokens {
  const cacheRead = tokenCount(usage['cached_input_tokens'])
  const cacheWrite = tokenCount(usage['cache_write_input_tokens'])
  return {
    input: Math.max(0, tokenCount(usage['input_tokens']) - cacheRead - cacheWrite),
    output: tokenCount(usage['output_tokens']),
    cacheRead,
    cacheWrite,
  }
}
