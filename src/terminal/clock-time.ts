/** `02:27:05` where the reader is; null for what is no time. */
export function clockTime(time: number | string): string | null {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return null
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** `02:27`. */
export function minuteTime(time: number | string): string | null {
  return clockTime(time)?.slice(0, 5) ?? null
}
