import { readRequest } from '../journal/control-file.ts'
import { listenForShutdown, type ShutdownSignal } from '../process/shutdown.ts'

/** How often the control file is looked at. */
const lookMs = 250

/** Everything that asks a run to stop: signals and `ralph cancel`. */
export interface StopRequests {
  /** Aborted when everything is to stop now. */
  readonly signal: AbortSignal
  /** Also true when the run is to stop after this iteration. */
  requested(): boolean
  close(): void
}

export function listenForStop(control: string, nonce: string): StopRequests {
  const shutdown = listenForShutdown((signal: ShutdownSignal) => {
    // All children are dead. What is left to do is what the next start does first.
    shutdown.stop()
    process.kill(process.pid, signal)
  })
  const cancelled = new AbortController()
  let afterIteration = false
  const look = (): void => {
    const request = readRequest(control, nonce)
    if (request === 'now') cancelled.abort()
    else if (request === 'after-iteration') afterIteration = true
  }
  const timer = setInterval(look, lookMs)
  const signal = AbortSignal.any([shutdown.signal, cancelled.signal])
  return {
    signal,
    requested() {
      look()
      return afterIteration || signal.aborted
    },
    close() {
      clearInterval(timer)
      shutdown.stop()
    },
  }
}
