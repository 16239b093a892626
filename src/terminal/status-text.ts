import { formatDuration } from '../base/duration.ts'
import type { RunState } from '../model/run-state.ts'
import type { RunView } from './display.ts'
import { formatCost } from './format-amounts.ts'
import type { Symbols } from './symbols.ts'
import { untilWords, waitWords } from './wait-words.ts'

export interface StatusInput {
  readonly state: RunState
  readonly view: RunView
  readonly nowMs: number
  /** How long the open iteration has been going. */
  readonly iterationMs: number
  readonly tool: { readonly verb: string; readonly target: string } | null
  readonly symbols: Symbols
}

/** The status line, what matters most first, as its end is what a narrow terminal cuts off; null if nothing is going on. */
export function statusText({ state, view, nowMs, iterationMs, tool, symbols }: StatusInput): string | null {
  if (state.stopped !== null) return null
  const { open, waiting } = state
  const done = view.stories.filter((story) => story.state === 'done').length
  const parts = [
    ...(waiting === null ? [] : [waitText(waiting, nowMs)]),
    `${state.iteration}/${view.maxIterations}`,
    ...(open === null ? [] : [open.mode, open.story, seconds(iterationMs)]),
    ...(view.stories.length === 0 ? [] : [`${done}/${view.stories.length} done`]),
    ...(state.costUsd === null ? [] : [formatCost(state.costUsd)]),
    ...(open === null ? [] : [open.outcome === null ? tool && `${tool.verb} ${tool.target}` : 'judging']),
  ]
  return parts.filter((part) => part !== null).join(` ${symbols.dot} `)
}

function waitText(
  { reason, until }: { readonly reason: string; readonly until: string | null },
  nowMs: number,
): string {
  const leftMs = until === null ? Number.NaN : Date.parse(until) - nowMs
  const countdown = Number.isNaN(leftMs) ? '' : ` (${seconds(leftMs)})`
  return `waiting for ${waitWords(reason)}${untilWords(until)}${countdown}`
}

/** Whole seconds, so that the line changes once a second. */
function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  return whole === 0 ? '0 s' : formatDuration(whole * 1000)
}
