import { setMaxListeners } from 'node:events'
import { killAllChildren } from './live-children.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type ShutdownSignal = (typeof signals)[number]

/** `npm run` and `npx` pass Ctrl+C on although the terminal sent it to all: that is one keystroke, not two. */
const echoMs = 50

export interface Shutdown {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
  /** Which it was. */
  received(): ShutdownSignal | null
  /** No signal is caught any more. */
  stop(): void
}

/**
 * The first SIGINT, SIGTERM or SIGHUP asks everything to stop; the next one kills every child with its tree and then
 * calls back. What to do about the process itself is the caller's business.
 */
export function listenForShutdown(onSecond: (signal: ShutdownSignal) => void): Shutdown {
  const controller = new AbortController()
  // Every child listens to it; more than ten at once are no leak.
  setMaxListeners(0, controller.signal)
  let first: { readonly signal: ShutdownSignal; readonly at: number } | null = null
  let isKilling = false
  const onSignal = (signal: ShutdownSignal): void => {
    if (first === null) {
      first = { signal, at: performance.now() }
      controller.abort(signal)
    } else if (performance.now() - first.at > echoMs && !isKilling) {
      isKilling = true
      void killAllChildren().finally(() => onSecond(signal))
    }
  }
  for (const signal of signals) process.on(signal, onSignal)
  return {
    signal: controller.signal,
    received: () => first?.signal ?? null,
    stop: () => {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
