import type { Json } from '../base/json.ts'
import type { Tokens } from '../model/event.ts'
import type { Notice } from '../model/notice.ts'
import type { AgentExit, AgentReport } from './agent.ts'
import { cutText } from './cut-text.ts'
import { endedByRunner, trouble, type AgentTrouble } from './exit-cause.ts'
import { OpenTools, type ToolOrigin } from './open-tools.ts'
import { SpokenTags } from './spoken-tags.ts'
import { toolStarted } from './tool-notice.ts'

const nothing: readonly Notice[] = []
const maxIdChars = 200
const mainLine: ToolOrigin = { parent: null, message: null }

/** What a run has used, as far as the agent says. */
export interface Figures {
  readonly costUsd: number | null
  readonly tokens: Tokens | null
}

/** What every reader keeps of a run, whatever its stream looks like: the tags that were spoken, the calls, whether anything was done. */
export class Conversation {
  readonly #tags = new SpokenTags()
  readonly #tools = new OpenTools()
  #didSomething = false

  /** Whether the assistant has said or done anything. */
  get didSomething(): boolean {
    return this.#didSomething
  }

  isToolOpen(): boolean {
    return !this.#tools.isEmpty
  }

  /** A message came in: calls of earlier ones are over. */
  heard(origin: ToolOrigin): void {
    this.#tools.heard(origin)
  }

  /** Words of the assistant itself; no tool's, no prompt, no thought. */
  says(text: string): readonly Notice[] {
    return this.listens(text) ? [{ kind: 'agent.text', text }] : nothing
  }

  /** The same, for words that are shown later; whether there is anything to show. */
  listens(text: string): boolean {
    this.#tags.push(text)
    if (text.trim() === '') return false
    this.#didSomething = true
    return true
  }

  /** Something else than words shows that it worked. */
  didWork(): void {
    this.#didSomething = true
  }

  startTool(
    call: { readonly id: Json | undefined; readonly name: string; readonly input: Json | undefined },
    origin: ToolOrigin = mainLine,
  ): readonly Notice[] {
    const id = idOf(call.id) ?? ''
    this.#didSomething = true
    this.#tools.start(id, origin)
    return toolStarted(id, call.name, call.input)
  }

  endTool(call: { readonly id: Json | undefined; readonly ok: boolean; readonly output: string }): readonly Notice[] {
    const id = idOf(call.id)
    if (id === null) return nothing
    this.#tools.end(id)
    return [{ kind: 'agent.tool.ended', id, ok: call.ok, output: cutText(call.output) }]
  }

  /** What it came to. `failure` says why a run that ended by itself was no success; null if it was one. */
  report(exit: AgentExit, failure: () => AgentTrouble | null, figures: Figures): AgentReport {
    const found = { ...figures, promises: this.#tags.promises, responses: this.#tags.responses }
    const why = endedByRunner(exit) ?? failure()
    if (why !== null) return { ...why, ...found }
    if (!this.#didSomething) return { ...trouble('empty', 'gave an empty answer'), ...found }
    return { outcome: 'succeeded', message: null, fix: null, resetsAt: null, ...found }
  }
}

/** An id as it is compared; null for none. What is no text is still an id: a subagent must not pass for the main line. */
export function idOf(value: Json | undefined): string | null {
  if (value === null || value === undefined) return null
  return cutText(typeof value === 'string' ? value : JSON.stringify(value), maxIdChars)
}
