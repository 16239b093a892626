import type { Notice } from '../model/notice.ts'

/** A tool call that is over. */
export interface ToolCall {
  readonly verb: string
  readonly target: string
  /** null: it did not end before the agent did. */
  readonly ok: boolean | null
  /** null: nobody saw it begin. */
  readonly tookMs: number | null
  readonly output: string
}

/** Brings the two ends of a tool call together. */
export interface ToolCalls {
  started(notice: Extract<Notice, { kind: 'agent.tool.started' }>): void
  ended(notice: Extract<Notice, { kind: 'agent.tool.ended' }>): ToolCall
  /** The one that began last and is still open. */
  current(): { readonly verb: string; readonly target: string } | null
  /** The agent is gone: what is open will not end any more. */
  abandon(): ToolCall[]
  /** How many there were since the last time this was asked. */
  takeTally(): ToolTally
}

export interface ToolTally {
  readonly calls: number
  readonly failed: number
}

/** An agent that opens calls without end must not fill the memory. */
const maxOpen = 200

export function openToolCalls(elapsed: () => number, project?: string): ToolCalls {
  const root = project === undefined ? null : `${project}/`
  const open = new Map<string, { readonly verb: string; readonly target: string; readonly since: number }>()
  let tally: ToolTally = { calls: 0, failed: 0 }
  return {
    started({ id, verb, target }) {
      tally = { ...tally, calls: tally.calls + 1 }
      // Set anew, so that it is the last one also under an id that was there before.
      open.delete(id)
      const inProject = root !== null && target.startsWith(root) && target !== root
      open.set(id, { verb, target: inProject ? target.slice(root.length) : target, since: elapsed() })
      const oldest = open.keys().next()
      if (open.size > maxOpen && oldest.done !== true) open.delete(oldest.value)
    },
    ended({ id, ok, output }) {
      const call = open.get(id)
      open.delete(id)
      if (!ok) tally = { ...tally, failed: tally.failed + 1 }
      if (call === undefined) return { verb: 'tool', target: '', ok, tookMs: null, output }
      return { verb: call.verb, target: call.target, ok, tookMs: elapsed() - call.since, output }
    },
    current() {
      return [...open.values()].at(-1) ?? null
    },
    takeTally() {
      const taken = tally
      tally = { calls: 0, failed: 0 }
      return taken
    },
    abandon() {
      const left = [...open.values()].map(({ verb, target, since }) => ({
        verb,
        target,
        ok: null,
        tookMs: elapsed() - since,
        output: '',
      }))
      open.clear()
      return left
    },
  }
}
