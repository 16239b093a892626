/** What an agent does while it works: shown live and kept in its raw log, never journalled and never decided upon. */
export type Notice =
  | { readonly kind: 'agent.text'; readonly text: string }
  | { readonly kind: 'agent.tool.started'; readonly id: string; readonly name: string; readonly target: string }
  | { readonly kind: 'agent.tool.finished'; readonly id: string; readonly ok: boolean; readonly output: string }
  | { readonly kind: 'agent.todo'; readonly items: readonly { readonly text: string; readonly done: boolean }[] }
  | { readonly kind: 'agent.retry'; readonly reason: string; readonly delayMs: number }
