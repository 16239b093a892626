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

/** `remark` tells whoever watches that they were heard: ending an agent and judging what it left takes a while. */
export function listenForStop(control: string, nonce: string, remark: (text: string) => void): StopRequests {
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
    else if (request === 'after-iteration' && !afterIteration) {
      afterIteration = true
      remark('"ralph cancel" asks to stop: that happens when this iteration has ended.')
    }
  }
  const timer = setInterval(look, lookMs)
  const signal = AbortSignal.any([shutdown.signal, cancelled.signal])
  const onStop = (): void => {
    const again = shutdown.received() === null ? '' : ' Ctrl+C again ends everything at once.'
    remark(`Stopping: the agent is ended, and what it left is judged.${again}`)
  }
  signal.addEventListener('abort', onStop, { once: true })
  return {
    signal,
    requested() {
      look()
      return afterIteration || signal.aborted
    },
    close() {
      clearInterval(timer)
      signal.removeEventListener('abort', onStop)
      shutdown.stop()
    },
  }
}
