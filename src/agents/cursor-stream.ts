import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReader, AgentReport } from './agent.ts'
import { claudeLikeFailure } from './claude-like-failure.ts'
import { ClaudeReader } from './claude-stream.ts'
import { Conversation } from './conversation.ts'
import { maxOutputChars } from './cut-text.ts'
import { parseLine, peekString } from './json-line.ts'
import type { AgentHelp } from './service-failure.ts'

const nothing: readonly Notice[] = []

/** Reads the stream of cursor-agent: Claude's, but for the tool calls, which have lines of their own. */
export class CursorReader implements AgentReader {
  readonly #conversation = new Conversation()
  readonly #rest: ClaudeReader

  constructor(help: AgentHelp) {
    this.#rest = new ClaudeReader(
      {
        pluginDir: null,
        failure: (words, exit) => claudeLikeFailure(words, exit, help),
        figures: () => ({ costUsd: null, tokens: null }),
      },
      this.#conversation,
    )
  }

  line(bytes: Buffer): readonly Notice[] {
    if (peekString(bytes, 'type') !== 'tool_call') return this.#rest.line(bytes)
    const line = parseLine(bytes, maxOutputChars)
    const call = line === null ? null : cursorCall(line['tool_call'])
    if (line === null || call === null) return nothing
    const id = line['call_id']
    if (line['subtype'] === 'started') return this.#conversation.startTool({ id, name: call.name, input: call.args })
    return line['subtype'] === 'completed' ? this.#conversation.endTool({ id, ...ending(call.result) }) : nothing
  }

  isToolOpen(): boolean {
    return this.#conversation.isToolOpen()
  }

  mustEnd(): string | null {
    return null
  }

  end(exit: AgentExit): AgentReport {
    return this.#rest.end(exit)
  }
}

/** `{"readToolCall":{"args":{…},"result":{…}}}`: the one member names the tool. */
function cursorCall(
  value: Json | undefined,
): { readonly name: string; readonly args: Json | undefined; readonly result: Json | undefined } | null {
  const [entry] = isObject(value) ? Object.entries(value) : []
  if (entry === undefined) return null
  const [key, body] = entry
  const { args, result, name, arguments: given }: Partial<JsonObject> = isObject(body) ? body : {}
  return { name: typeof name === 'string' ? name : key.replace(/ToolCall$/, ''), args: args ?? given, result }
}

/** `{"success":{…}}`, or another member that says why not. */
function ending(result: Json | undefined): { readonly ok: boolean; readonly output: string } {
  if (!isObject(result)) return { ok: true, output: '' }
  const [entry] = Object.entries(result)
  const [how, body] = entry ?? ['success', null]
  return { ok: how === 'success', output: isObject(body) ? shownOf(body) : typeof body === 'string' ? body : '' }
}

function shownOf(body: JsonObject): string {
  const keys = ['stdout', 'stderr', 'content', 'errorMessage', 'error', 'message']
  return keys
    .flatMap((key) => {
      const text = body[key]
      return typeof text === 'string' && text !== '' ? [text] : []
    })
    .join('\n')
}
