import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a condition by looking again and again; fails with its words when the deadline has passed. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  deadlineMs = 10_000,
): Promise<T> {
  const end = performance.now() + deadlineMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await delay(5)
  }
}
