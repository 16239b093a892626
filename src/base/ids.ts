/** Names that become parts of paths, refs, lines and keys: ASCII, no separators, no leading dot or hyphen. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** A date that cannot be would be no run's: what comes after it has no name. */
const runIdPattern = /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-(?:[01]\d|2[0-3])[0-5]\d[0-5]\d-[0-9a-f]{8}$/

/** `constructor`, `toString` and the like would be found in every object; `prototype` is no key that `parseJson` takes. */
export const isId = (text: string): boolean =>
  idPattern.test(text) && !(text in Object.prototype) && text !== 'prototype'

export const isRunId = (text: string): boolean => runIdPattern.test(text)

/** Sorts by time, reads as a date, and is unique by its random part (at least 4 bytes). */
export function formatRunId(nowMs: number, random: Uint8Array): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T')
  const suffix = Array.from(random.slice(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${suffix}`
}
