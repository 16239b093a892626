/** More are not remembered: a stream that claims so many is no agent that we know, and some are open in any case. */
const maxOpen = 1000

/** Where a tool call has begun. `parent` is the call that runs the subagent it belongs to, `message` the message it came in. */
export interface ToolOrigin {
  readonly parent: string | null
  readonly message: string | null
}

/** Which tool calls are open. An end that was lost (a line too long, a line cut off) must not leave one open for good. */
export class OpenTools {
  readonly #open = new Map<string, ToolOrigin>()

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  has(id: string): boolean {
    return this.#open.has(id)
  }

  start(id: string, tool: ToolOrigin): void {
    if (this.#open.size < maxOpen) this.#open.set(id, tool)
  }

  /** What a subagent had open ends with the call that ran it. */
  end(id: string): void {
    this.#open.delete(id)
    this.#endWhere((tool) => tool.parent === id)
  }

  /** A new message comes only when every call of the one before has its result. */
  heard({ parent, message }: ToolOrigin): void {
    this.#endWhere((tool) => tool.parent === parent && tool.message !== message)
  }

  #endWhere(isOver: (tool: ToolOrigin) => boolean): void {
    for (const [id, tool] of this.#open) if (isOver(tool)) this.#open.delete(id)
  }
}
