import { err, ok, type Result } from './result.ts'

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** `90`, `90s`, `10m`, `2h`; a bare number is seconds. */
export function parseDuration(text: string): Result<number, string> {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)([smh]?)$/.exec(text)
  if (match === null) return err(`${JSON.stringify(text)} is not a duration; write 90, 90s, 10m or 2h`)
  const unit = (match[2] === '' ? 's' : match[2]) as keyof typeof unitMs
  return ok(Math.round(Number(match[1]) * unitMs[unit]))
}

/** For people: `850 ms`, `12 s`, `3 min 20 s`, `2 h 05 min`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
