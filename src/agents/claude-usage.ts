import { isObject, type JsonObject } from '../base/json.ts'
import type { Tokens } from '../model/event.ts'
import { tokenCount } from './token-count.ts'

/** What a run cost by its last result line, which counts all of it. Null where it says nothing that can be believed. */
export function claudeCost(result: JsonObject | null): number | null {
  const cost = result?.['total_cost_usd']
  return typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null
}

/** `usage` leaves out subagents and all turns but the last; the sums by model have everything. */
export function claudeTokens(result: JsonObject | null): Tokens | null {
  const models = isObject(result?.['modelUsage']) ? Object.values(result['modelUsage']).filter(isObject) : []
  if (models.length > 0) {
    const sum = (key: string): number => models.reduce((total, model) => total + tokenCount(model[key]), 0)
    return {
      input: sum('inputTokens'),
      output: sum('outputTokens'),
      cacheRead: sum('cacheReadInputTokens'),
      cacheWrite: sum('cacheCreationInputTokens'),
    }
  }
  const usage = result?.['usage']
  if (!isObject(usage)) return null
  return {
    input: tokenCount(usage['input_tokens']),
    output: tokenCount(usage['output_tokens']),
    cacheRead: tokenCount(usage['cache_read_input_tokens']),
    cacheWrite: tokenCount(usage['cache_creation_input_tokens']),
  }
}
