import type { Event } from '../model/event.ts'

/** Where somebody's words can stand; all else is the runner's own, and a key that looks like it must not damage it. */
const freeTexts: ReadonlySet<string> = new Set(['message', 'error', 'what', 'details'])

/** The event without the user's keys: an agent can make a title or the name of a file of one. */
export function redactEvent<T extends Event>(event: T, redact: (text: string) => string): T {
  const clean = (value: unknown): unknown => (typeof value === 'string' ? redact(value) : value)
  return JSON.parse(
    JSON.stringify(event, (key, value: unknown) =>
      freeTexts.has(key) ? (Array.isArray(value) ? value.map(clean) : clean(value)) : value,
    ),
  ) as T
}
