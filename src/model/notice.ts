/**
 * What an agent does while it works: shown live and kept in its raw log, never journalled. Texts are the agent's own and
 * become visible text only where they are shown.
 */
export type Notice =
  /** The agent said that it is there; only agents that say so. */
  | { readonly kind: 'agent.ready'; readonly model: string | null; readonly version: string | null }
  /** Something that the assistant wrote: a whole block, or a piece of one. */
  | { readonly kind: 'agent.text'; readonly text: string }
  /** A tool call began. `verb` is short (`Bash`, `Edit`), `target` is its command, path or pattern. */
  | { readonly kind: 'agent.tool.started'; readonly id: string; readonly verb: string; readonly target: string }
  /** It ended; `output` is its text, cut by the agent's file to what could be shown. */
  | { readonly kind: 'agent.tool.ended'; readonly id: string; readonly ok: boolean; readonly output: string }
  | { readonly kind: 'agent.todo'; readonly items: readonly TodoItem[] }
  /** The agent tries a request again by itself, or says something about its own state. */
  | { readonly kind: 'agent.remark'; readonly text: string }

export interface TodoItem {
  readonly text: string
  readonly state: 'pending' | 'in_progress' | 'completed'
}
