import { isObject, parseJson, type Json, type JsonObject } from '../../base/json.ts'

/** What a line of a transcript says about the context; most say nothing. */
export type LineWord =
  /** A message of the main line of the conversation, with the usage of its request. */
  | { readonly kind: 'usage'; readonly tokens: number; readonly model: string; readonly message: string }
  /** What was before is no longer in the context; `tokens` if it says what is left. */
  | { readonly kind: 'compacted'; readonly tokens: number | null }

export function readTranscriptLine(text: string): LineWord | null {
  // Most lines are results of tools and long: they are not parsed.
  const isMessage = text.includes('"assistant"') && text.includes('"usage"')
  if (!isMessage && !text.includes('"compact_boundary"')) return null
  const parsed = parseJson(text, { anyKey: true })
  if (!parsed.ok || !isObject(parsed.value)) return null
  const line = parsed.value
  // A subagent has a context of its own.
  if (line['isSidechain'] === true) return null
  if (line['type'] === 'assistant') return usageOf(line)
  if (line['type'] !== 'system' || line['subtype'] !== 'compact_boundary') return null
  const left = isObject(line['compactMetadata']) ? amount(line['compactMetadata']['postTokens']) : 0
  return { kind: 'compacted', tokens: left === 0 ? null : left }
}

/** Each line of a message carries the usage of the whole; errors of the API come as messages without any. */
function usageOf(line: JsonObject): LineWord | null {
  const message = line['message']
  if (!isObject(message) || message['model'] === '<synthetic>' || !isObject(message['usage'])) return null
  const { usage } = message
  const tokens = fields.reduce((sum, field) => sum + amount(usage[field]), 0)
  // Only the model that was asked for has the `[1m]` that makes its window larger.
  const model = [line['requestedModel'], message['model']].find((name) => typeof name === 'string')
  return tokens === 0 ? null : { kind: 'usage', tokens, model: textOf(model), message: textOf(message['id']) }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const fields = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']

function amount(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
