import type { Event } from '../model/event.ts'
import { formatCost, formatTokens, formatTook } from './format-amounts.ts'
import { outcomeWords } from './outcome-words.ts'

/** How one start of an agent ended: `claude failed (3 s, exit 1): API Error`. */
export function agentWords(name: string, event: Extract<Event, { kind: 'agent.finished' }>): string {
  const { outcome, exitCode, signal, durationMs, costUsd, tokens, message } = event
  const figures = [
    formatTook(durationMs),
    ...(outcome === 'succeeded' || exitCode === null ? [] : [`exit ${exitCode}`]),
    ...(signal === null ? [] : [signal]),
    ...(costUsd === null ? [] : [formatCost(costUsd)]),
    ...(tokens === null ? [] : [formatTokens(tokens)]),
  ]
  const words = outcomeWords[outcome]
  const why = message === null || message === words ? '' : `: ${message}`
  const help = outcome === 'timeout' || outcome === 'silent' ? `; ${moreTime[outcome]}` : ''
  return `${name} ${words} (${figures.join(', ')})${why}${help}`
}

/** Not in the message itself, which agents are told as well. */
const moreTime = {
  timeout: '--iteration-timeout or --max-time give it more',
  silent: '--silence-timeout gives it more',
} as const
