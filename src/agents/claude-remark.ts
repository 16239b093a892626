import { formatDuration } from '../base/duration.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import { firstLine } from './cut-text.ts'

/** What Claude Code says about its own state, in a line; null for what nobody needs to see. */
export function claudeRemark(subtype: string, line: JsonObject): string | null {
  switch (subtype) {
    case 'api_retry':
      return retryRemark(line)
    case 'retry':
      return isObject(line['data']) ? ownRetryRemark(line['data']) : null
    case 'model_fallback':
      return textOf(line['content'])
    case 'informational':
      return line['level'] === 'warning' || line['level'] === 'notice' ? textOf(line['content']) : null
    case 'status':
      return line['status'] === 'compacting' ? 'compacts its context' : null
    default:
      return null
  }
}

/** Subtypes of `system` lines that a remark is made of: only these are parsed. */
export const remarkable: ReadonlySet<string> = new Set([
  'api_retry',
  'retry',
  'model_fallback',
  'informational',
  'status',
])

/** A usage limit that comes near; null for one that does not. */
export function limitRemark(info: JsonObject): string | null {
  const { status, rateLimitType, utilization } = info
  if (status !== 'allowed_warning') return null
  const which = typeof rateLimitType === 'string' ? firstLine(rateLimitType.replaceAll('_', ' ')) : 'usage'
  return typeof utilization === 'number'
    ? `${Math.round(utilization * 100)} % of the ${which} limit are used`
    : `the ${which} limit is near`
}

function retryRemark(line: JsonObject): string {
  const { attempt, max_retries: most, retry_delay_ms: delayMs, error_status: status, error } = line
  const what = typeof status === 'number' ? `error ${status}` : (textOf(error) ?? 'an error')
  const delay =
    typeof delayMs === 'number' && Number.isFinite(delayMs) ? formatDuration(Math.max(0, delayMs)) : 'a while'
  const count = typeof attempt === 'number' && typeof most === 'number' ? ` (${attempt} of ${most})` : ''
  return `the API answered with ${what}; tries again in ${delay}${count}`
}

/** As qwen has it. */
function ownRetryRemark({ attempt, maxRetries, delayMs }: JsonObject): string {
  return retryRemark({ attempt, max_retries: maxRetries, retry_delay_ms: delayMs } as JsonObject)
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? firstLine(value) : ''
  return text === '' ? null : text
}
