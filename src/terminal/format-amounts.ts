import { formatDuration } from '../base/duration.ts'
import type { Tokens } from '../model/event.ts'

/** What something took: tenths of a second where whole ones say little. */
export function formatTook(ms: number): string {
  return ms >= 100 && ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(Math.max(0, ms))
}

/** `$0.25`; what is too little for cents is not nothing. */
export function formatCost(usd: number): string {
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${Math.max(0, usd).toFixed(2)}`
}

/** `1.2M tokens in (850k cached), 45k out`; all that went in counts, read from a cache or not. */
export function formatTokens({ input, output, cacheRead, cacheWrite }: Tokens): string {
  const cached = cacheRead > 0 ? ` (${short(cacheRead)} cached)` : ''
  return `${short(input + cacheRead + cacheWrite)} tokens in${cached}, ${short(output)} out`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The first few, and how many there are besides. */
export function listed(items: readonly string[], limit = 3, unnamed = 0): string {
  const first = items.slice(0, limit)
  const more = items.length - first.length + unnamed
  return more > 0 ? `${first.join('; ')}; and ${more} more` : first.join('; ')
}

function short(count: number): string {
  if (count < 1000) return String(Math.round(count))
  // 999,950 is where thousands would round up to a thousand of them.
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1_000_000, 'M']
  return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`
}
